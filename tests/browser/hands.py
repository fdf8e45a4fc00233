"""What a reader's hand does on a page: press a button, move every slider; and a model with a joint of one's own."""

import numpy as np

import rbdlite as rbd


def press(page, action, value=None):
    """Click the first control of a storyboard with this action (and value)."""
    where = f'[data-a="{action}"]' + ("" if value is None else f'[data-v="{value}"]')
    page.locator(f"button{where}, [role=button]{where}").first.click()


def move_every_slider(page, player, seen, seed):
    """Type a number into every slider of a player -> its inputs then, {argument: array}. seen(): what must change."""
    inputs = {k: np.array(v, dtype=float) for k, v in player.payload["inputs"].items()}
    rng = np.random.default_rng(seed)
    for j, s in enumerate(player.payload["sliders"]):
        before = seen()
        scale = 180 / np.pi if s["unit"] == "rad" else 1
        x = round(float(rng.uniform(s["min"], s["max"])) * scale, 3)
        box = page.locator(f"input[type=number][data-s='{j}']")
        box.fill(str(x))
        box.dispatch_event("change")
        inputs[s["arg"]][s["ix"]] = x / scale
        assert seen() != before, f"slider {s['label']} changes nothing"
    return inputs


def with_a_fixed_joint(kind="fixed"):
    """Three hinges or, for the middle one, another joint of the reader's own."""
    def still(q):
        return np.broadcast_to(np.eye(6), (*q.shape[:-2], 6, 6))

    def along(q):
        return rbd.prismatic((1, 0, 0)).XJ(q)

    own = {"fixed": lambda: rbd.Joint("fixed", 0, 0, np.zeros((6, 0)), still),
           "own": lambda: rbd.Joint("own", 1, 1, np.eye(6)[:, 3:4], along)}[kind]()  # fmt: skip
    hinge, body, place = rbd.revolute((0, 0, 1)), rbd.inertia(1, (0.5, 0, 0), (0.1, 0.1, 0.1)), np.eye(3)
    return rbd.Model([0, 1, 2], [hinge, own, hinge], [(place, (0, 0, 0)), (place, (1, 0, 0)), (place, (1, 0, 0))],
                     [body] * 3)  # fmt: skip
