"""Real robots, as small data files in the package: no URDF is read, so it works in a browser too.

The numbers come from the makers' URDF files; scripts/make_robot_data.py wrote them, and each file names its
source, version and licence.
"""

import json
from importlib import resources

import numpy as np

from ..errors import ModelError
from ..joints import free, prismatic, revolute
from ..model import Model
from ..spatial import inertia

_JOINTS = {"revolute": revolute, "prismatic": prismatic, "free": free}


def names():
    """The names that `load` knows, sorted."""
    files = (resources.files(__package__) / "data").iterdir()
    return sorted(f.name.removesuffix(".json") for f in files if f.name.endswith(".json"))


def about(name):
    """What is known of a robot's data: {"title", "source", "version", "attribution", "licence"}."""
    data = _read(name)
    return {key: data[key] for key in ("title", "source", "version", "attribution", "licence")}


def load(name, gravity=(0, 0, -9.81)):
    """The Model of a real robot, e.g. "panda" (nv = 7, fingers locked) or "talos" (floating base, nv = 38).

    Bodies carry the names of the URDF's links, joints those of its joints; links welded to a body are frames.
    A floating base hangs on a free joint named "root_joint". Raises ModelError for a name not in `names()`.
    """
    data = _read(name)
    bodies = data["bodies"]
    return Model(
        parent=[b["parent"] for b in bodies],
        joints=[_JOINTS[b["type"]](*([b["axis"]] if "axis" in b else [])) for b in bodies],
        placements=[_placement(b) for b in bodies],
        inertias=[_inertia(b) for b in bodies],
        names=[b["name"] for b in bodies],
        joint_names=[b["joint"] for b in bodies],
        gravity=gravity,
        frames={f["name"]: (f["body"], *_placement(f)) for f in data["frames"]},
        base_inertia=_inertia(data["base"]),
        base_name=data["base_name"],
    )


def _read(name):
    if name not in names():
        raise ModelError(f"no robot is called {name!r}; known: {', '.join(names())}")
    return json.loads((resources.files(__package__) / "data" / f"{name}.json").read_text(encoding="utf-8"))


def _placement(entry):
    R, p = entry.get("R", np.eye(3)), entry.get("p", (0, 0, 0))
    return np.array(R, dtype=float).reshape(3, 3), np.array(p, dtype=float)


def _inertia(entry):
    xx, xy, xz, yy, yz, zz = entry["J"]
    return inertia(entry["mass"], entry["com"], [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
