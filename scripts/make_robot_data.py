"""Write rbdlite/robots/data/*.json: the inertial and kinematic numbers of a few real robots.

    python scripts/make_robot_data.py        # needs: pip install example-robot-data==6.0.0 (131 MB)

Source: the URDF files of the PyPI package example-robot-data, which collects the descriptions that the makers
of the robots publish. Only numbers are taken (masses, centres of mass, rotational inertias, placements, axes)
and the names of links and joints; no mesh, no text. Each file states its source, version and licence. Numbers
are kept in full double precision; where links are welded together, their sum is written.

The rotational inertia "J" is about the centre of mass, in body axes, as xx, xy, xz, yy, yz, zz. A placement
"R" (rows) is left out where it is the identity, "p" where it is zero, "axis" where the joint has none.
"""

import importlib.metadata
import json
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from rbdlite.urdf import read_tree  # noqa: E402

PACKAGE = "example-robot-data"
ROBOTS = {
    "panda": dict(
        title="Franka Emika Panda, 7 joints, both fingers locked at zero",
        file="panda_description/urdf/panda.urdf", floating=False,
        fixed=("panda_finger_joint1", "panda_finger_joint2"),
        attribution="Franka Emika GmbH, franka_description (franka_ros)", licence="Apache-2.0",
    ),
    "ur5": dict(
        title="Universal Robots UR5, 6 joints",
        file="ur_description/urdf/ur5_robot.urdf", floating=False, fixed=(),
        attribution="ROS-Industrial, ur_description (universal_robot)", licence="BSD",
    ),
    "anymal": dict(
        title="ANYbotics ANYmal B, floating base and 12 joints",
        file="anymal_b_simple_description/robots/anymal.urdf", floating=True, fixed=(),
        attribution="ANYbotics AG, anymal_b_simple_description", licence="BSD-3-Clause",
    ),
    "hyq": dict(
        title="IIT HyQ, floating base and 12 joints",
        file="hyq_description/robots/hyq_no_sensors.urdf", floating=True, fixed=(),
        attribution="Istituto Italiano di Tecnologia, hyq-description", licence="Apache-2.0",
    ),
    "talos": dict(
        title="PAL Robotics TALOS, reduced (gripper linkages fixed), floating base and 32 joints",
        file="talos_data/robots/talos_reduced.urdf", floating=True, fixed=(),
        attribution="PAL Robotics S.L., talos_robot",
        licence="Apache-2.0 by the notes of the package; the URDF's own header names CC BY-NC-ND 3.0. "
        "Only its numbers are used here.",
    ),
}  # fmt: skip


def plain(x):
    """Numbers for JSON: whole ones as integers, others as the shortest text that reads back the same."""
    if isinstance(x, (list, tuple, np.ndarray)):
        return [plain(k) for k in x]
    return int(x) if float(x).is_integer() else float(x)


def placement(R, p):
    out = {} if np.array_equal(R, np.eye(3)) else {"R": plain(np.ravel(R))}
    return out | ({"p": plain(p)} if np.any(p) else {})


def weight(mass, com, J):
    return {"mass": plain(mass), "com": plain(com), "J": plain(J[np.triu_indices(3)])}


def robot(name, title, file, floating, fixed, attribution, licence):
    paths = [f for f in importlib.metadata.files(PACKAGE) if str(f).endswith("robots/" + file)]
    if len(paths) != 1:
        raise SystemExit(f"{PACKAGE} holds {len(paths)} files called {file}, expected one")
    root = ET.parse(paths[0].locate()).getroot()
    for joint in root.findall("joint"):
        if joint.get("name") in fixed:
            joint.set("type", "fixed")
    tree = read_tree(root, floating)
    base, *inertias = tree["inertias"]
    bodies = []
    for k, joint in enumerate(tree["joints"]):
        axis = {"axis": plain(joint.axis)} if joint.kind in ("revolute", "prismatic") else {}
        body = {"name": tree["names"][k], "parent": tree["parent"][k], "joint": tree["joint_names"][k]}
        body |= {"type": joint.kind} | axis | placement(*tree["placements"][k]) | weight(*inertias[k])
        bodies.append(body)
    head = {"title": title, "source": f"{file} of the PyPI package {PACKAGE}",
            "version": importlib.metadata.version(PACKAGE), "attribution": attribution,
            "licence": licence, "made_by": "scripts/make_robot_data.py",
            "base_name": tree["base_name"], "base": weight(*base)}  # fmt: skip
    frames = [{"name": f, "body": b} | placement(R, p) for f, (b, R, p) in tree["frames"].items()]
    return head, {"bodies": bodies, "frames": frames}


def text(head, tables):
    """JSON with one body or frame to a line."""
    rows = [f" {json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in head.items()]
    for key, table in tables.items():
        lines = ",\n".join("  " + json.dumps(row, separators=(",", ":")) for row in table)
        rows.append(f" {json.dumps(key)}: [\n{lines}\n ]")
    return "{\n" + ",\n".join(rows) + "\n}\n"


def main(target=ROOT / "rbdlite" / "robots" / "data"):
    target.mkdir(parents=True, exist_ok=True)
    for name, what in ROBOTS.items():
        head, tables = robot(name, **what)
        (target / f"{name}.json").write_text(text(head, tables), encoding="utf-8")
        print(f"{name}: {len(tables['bodies'])} bodies, {(target / f'{name}.json').stat().st_size} bytes")


if __name__ == "__main__":
    main()
