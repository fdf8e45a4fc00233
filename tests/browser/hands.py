"""What a reader's hand does on a page: press a button, move every slider."""

import numpy as np


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
