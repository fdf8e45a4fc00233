"""URDF -> Model: a small reader of our own over the standard library's XML.

Fixed joints are lumped: the child's inertia moves into the body it is welded to, and the child stays usable
as a named frame. Only what the dynamics need is read: links, joints, origins, axes, inertials. Limits,
friction, transmissions, meshes and the like are passed over. URDF knows no rotor inertia: `armature` is zero.
"""

import numpy as np

from .checks import rigid_inertia
from .errors import ModelError, UrdfError
from .joints import free, planar, prismatic, revolute
from .model import Model
from .spatial import inertia
from .xmltext import named, numbers, only, parse

TYPES = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")


def load_urdf(path_or_xml, floating_base=False, gravity=(0, 0, -9.81)):
    """Read a robot from a URDF file (str or Path) or from the XML itself (text beginning with "<", or bytes).

    floating_base=False welds the root link to the world; its inertia is kept as `Model.base_inertia`.
    floating_base=True hangs the root link on a free joint named "root_joint".
    Bodies are numbered depth-first, siblings in the order in which the file lists their joints; nothing else
    in the model depends on the order of the file. A missing <inertial> means no mass, a missing <origin> the
    identity, a missing <axis> x. A "planar" joint moves in the plane normal to z of its frame: q = (x, y, θ).
    The inertia of links welded together is judged by their sum, since only that moves: real files often give
    small parts a made-up inertia that no rigid body has.

    Raises UrdfError, naming the file, the link or the joint, and what was expected.
    """
    where, root = parse(path_or_xml)
    try:
        parts = read_tree(root, floating_base)
        parts["base_inertia"], *parts["inertias"] = (inertia(*x) for x in parts["inertias"])
        return Model(gravity=gravity, **parts)
    except ModelError as err:
        raise UrdfError(f"{where}: {err}") from None


def read_tree(root, floating_base=False):
    """The arguments of `Model` for a <robot> element; inertias are (mass, com, J_com), the base's first."""
    links, joints = named(root, "link"), named(root, "joint")
    tops, below = _tree(links, joints)
    if floating_base and not tops:
        raise UrdfError("a floating base needs a root link, but the robot has no links")
    parent, kinds, placements, names, joint_names, frames, welded = [], [], [], [], [], {}, [[]]
    todo = [(top, None, 0, np.eye(3), np.zeros(3)) for top in tops]
    while todo:
        link, joint, body, R, p = todo.pop()  # (R, p): pose of the link in `body`
        kind = _joint(joint) if joint is not None else free() if floating_base else None
        if kind is None:
            frames[link] = (body, R, p)
        else:
            parent.append(body)
            kinds.append(kind)
            placements.append((R, p))
            names.append(link)
            joint_names.append("root_joint" if joint is None else joint.get("name"))
            welded.append([])
            body, R, p = len(parent), np.eye(3), np.zeros(3)
        mass, com, J = _inertial(links[link])
        welded[body].append((link, mass, R @ com + p, R @ J @ R.T))
        for child in reversed(below[link]):
            Rc, pc = _origin(child, f"joint {child.get('name')!r}")
            todo.append((child.find("child").get("link"), child, body, R @ Rc, R @ pc + p))
    taken, base = {*names, *joint_names, *frames} - (set() if floating_base else {*tops}), "base"
    while base in taken:  # a link that is not body 0 has that name
        base = "world" if base == "base" else "_" + base
    frames.pop(base, None)  # here the root link and body 0 are one
    return dict(parent=parent, joints=kinds, placements=placements, inertias=[_lump(x) for x in welded],
                names=names, joint_names=joint_names, frames=frames, base_name=base)  # fmt: skip


def rpy(roll, pitch, yaw):
    """The rotation Rz(yaw) Ry(pitch) Rx(roll); rounding dust below 1e-15 becomes zero."""
    (cr, cp, cy), (sr, sp, sy) = np.cos((roll, pitch, yaw)), np.sin((roll, pitch, yaw))
    R = np.array([[cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
                  [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
                  [-sp, cp * sr, cp * cr]])  # fmt: skip
    return np.where(abs(R) < 1e-15, 0.0, R)


def _origin(element, who):
    origin = only(element, "origin", who)
    return rpy(*numbers(origin, "rpy", "0 0 0", who)), numbers(origin, "xyz", "0 0 0", who)


def _tree(links, joints):
    """([the root link], {link: its child joints in file order}); refuses whatever is not a tree."""
    hangs_on, below = {}, {name: [] for name in links}
    for name, joint in joints.items():
        ends = [only(joint, end, f"joint {name!r}") for end in ("parent", "child")]
        upper, lower = ends = [None if end is None else end.get("link") for end in ends]
        for end, link in zip(("parent", "child"), ends, strict=True):
            if link not in links:
                raise UrdfError(f"joint {name!r}: its {end} is {link!r}, expected the name of a <link>")
        if lower in hangs_on:
            both = f"joints {hangs_on[lower][0]!r} and {name!r}"
            raise UrdfError(f"link {lower!r} has two parents ({both}), expected one")
        hangs_on[lower] = (name, upper)
        below[upper].append(joint)
    done = set()  # links known to reach a root
    for link in links:
        path = {}  # in order, the links passed on the way up
        while link in hangs_on and link not in done and link not in path:
            path[link] = hangs_on[link]
            link = hangs_on[link][1]
        if link in path:
            ring = list(path)[list(path).index(link) :]
            raise UrdfError(f"links {', '.join(map(repr, ring))} form a cycle (joints "
                            f"{', '.join(repr(hangs_on[x][0]) for x in ring)}), expected a tree")  # fmt: skip
        done |= path.keys()
    tops = [name for name in links if name not in hangs_on]
    if len(tops) > 1:
        raise UrdfError(f"links {', '.join(map(repr, tops))} hang on no joint, expected one root link only")
    return tops, below


def _joint(element):
    """The rbdlite joint of a <joint> element; None for a fixed one."""
    who, kind = f"joint {element.get('name')!r}", element.get("type")
    if kind not in TYPES:
        raise UrdfError(f"{who} has type {kind!r}, expected one of {', '.join(TYPES)}")
    axis, mimic = (only(element, tag, who) for tag in ("axis", "mimic"))
    if kind == "fixed":
        return None
    if mimic is not None:
        raise UrdfError(f"{who} mimics joint {mimic.get('joint')!r}, expected independent joints: "
                        "make it fixed, or remove <mimic> to free it")  # fmt: skip
    if kind == "floating":
        return free()
    axis = numbers(axis, "xyz", "1 0 0", who)
    if not axis.any():
        raise UrdfError(f"{who} has the axis (0, 0, 0), expected a direction")
    if kind != "planar":
        return prismatic(axis) if kind == "prismatic" else revolute(axis)
    if axis[0] or axis[1] or axis[2] < 0:
        raise UrdfError(f"{who} is planar with the axis {axis}, expected 0 0 1: turn its <origin> instead")
    return planar()


def _inertial(link):
    """(mass, com (3,), J about the com (3, 3)) in the link's axes."""
    who = f"link {link.get('name')!r}"
    element = only(link, "inertial", who)
    if element is None:
        return 0.0, np.zeros(3), np.zeros((3, 3))
    R, com = _origin(element, who)
    mass, J = (only(element, tag, who) for tag in ("mass", "inertia"))
    for tag, found, keys in (("mass", mass, ("value",)), ("inertia", J, ("ixx", "iyy", "izz"))):
        if found is None or not all(found.get(k) for k in keys):
            raise UrdfError(f"{who}: <inertial> lacks <{tag}>, expected it with {', '.join(keys)}")
    mass = numbers(mass, "value", "0", who)[0]
    xx, yy, zz, xy, xz, yz = (numbers(J, k, "0", who)[0] for k in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz"))
    J = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    if mass < 0 or (mass == 0 and J.any()):
        wrong = f"a negative mass ({mass:g} kg)" if mass < 0 else "no mass but a rotational inertia"
        raise UrdfError(f"{who} has {wrong}, expected a mass of zero or more, and inertia only with mass")
    return mass, com, R @ J @ R.T


def _lump(group):
    """(mass, com, J_com) of links welded together: [(link, mass, com, J_com), ...] in one body's axes."""
    mass = sum(m for _, m, _, _ in group)
    com = group[0][2] if len(group) == 1 else sum((m * c for _, m, c, _ in group), np.zeros(3)) / (mass or 1)
    J = np.zeros((3, 3))
    for _, m, c, own in group:
        d = c - com
        J = J + own + m * (d @ d * np.eye(3) - np.outer(d, d))
    if group:
        rest = ", ".join(repr(x[0]) for x in group[1:])
        who = f"link {group[0][0]!r}" + (f" with {rest} welded to it" if rest else "")
        rigid_inertia(who, inertia(mass, com, J), np.array)
    return mass, com, J
