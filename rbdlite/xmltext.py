"""The XML under a URDF: what is no plain, well-formed text is refused; elements and numbers are fetched by name."""

import math
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np

from .errors import UrdfError


class _NoDoctype(ET.TreeBuilder):
    def doctype(self, name, pubid, system):
        raise UrdfError("a DOCTYPE is refused (it can define entities), expected plain URDF")


def parse(source):
    """(what to call the source in messages, its <robot> element)."""
    where, data = "URDF text", source
    if isinstance(source, str) and source.lstrip("\ufeff \t\r\n").startswith("<"):
        data = source.lstrip("\ufeff \t\r\n")
    elif not isinstance(source, bytes):
        where = str(source)
        try:
            data = Path(source).read_bytes()
        except (OSError, ValueError, TypeError) as err:
            raise UrdfError(f"{where}: not a readable file ({err}), expected a path or XML text") from None
    try:
        parser = ET.XMLParser(target=_NoDoctype())
        for k in range(0, len(data), 4096):
            parser.feed(data[k : k + 4096])
        root = parser.close()
    except UrdfError as err:
        raise UrdfError(f"{where}: {err}") from None
    except (ET.ParseError, ValueError, LookupError) as err:
        raise UrdfError(f"{where}: not well-formed XML ({err}), expected URDF") from None
    if root.tag != "robot":
        raise UrdfError(f"{where}: the top element is <{root.tag}>, expected <robot>")
    if any("xacro" in str(e.tag) for e in root.iter()):
        raise UrdfError(f"{where}: holds xacro macros, expected plain URDF (xacro file.xacro > file.urdf)")
    return where, root


def named(root, tag):
    """{name: element} of the <link> or <joint> children of <robot>."""
    out = {}
    for k, element in enumerate(root.findall(tag), 1):
        name = element.get("name")
        if not name:
            raise UrdfError(f"<{tag}> number {k} has no name, expected one")
        if name in out:
            raise UrdfError(f"{tag} {name!r} is defined twice, expected each name once")
        out[name] = element
    return out


def only(element, tag, who):
    """The one child of that tag, or None."""
    found = element.findall(tag)
    if len(found) > 1:
        raise UrdfError(f"{who} has {len(found)} <{tag}> elements, expected at most one")
    return found[0] if found else None


def numbers(element, key, default, who):
    """The numbers in an attribute such as xyz="1 2 3", as many as `default` has."""
    text = default if element is None else element.get(key, default)
    try:
        out = [float("nan" if "_" in word else word) for word in text.split()]
    except ValueError:
        out = []
    if len(out) != len(default.split()) or not all(map(math.isfinite, out)):
        many = {1: "a finite number", 3: "3 finite numbers"}[len(default.split())]
        raise UrdfError(f"{who}: {element.tag} {key}={element.get(key)!r}, expected {many}")
    return np.array(out)
