"""Fetch with npm what the pages load (MathJax, and reveal.js for the decks) into book/_static/vendor.

Without npm nothing is fetched: pages then take MathJax from a CDN and no deck is built. It says so.
"""

import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

VENDOR = Path(__file__).resolve().parent.parent / "book" / "_static" / "vendor"
STAMP = VENDOR / "versions.json"
# package, version -> folder here, folder in the package, what is kept of it
WANTED = {
    "mathjax@3.2.2": (
        "mathjax",
        "es5",
        (
            "tex-mml-chtml.js",
            "input/tex/extensions/",
            "output/chtml/",
            "ui/",
            "a11y/",
            "sre/mathmaps/base.json",
            "sre/mathmaps/en.json",
        ),
    ),
    "reveal.js@5.2.1": (
        "reveal",
        "",
        (
            "dist/reveal.js",
            "dist/reveal.css",
            "dist/reset.css",
            "dist/theme/white.css",
            "dist/theme/fonts/source-sans-pro/",
            "plugin/notes/notes.js",
            "LICENSE",
        ),
    ),
}
WITHOUT = """\
{why}
  MathJax: each page loads it from a CDN (cdn.jsdelivr.net), so formulas need a network.
  Slides:  not built (reveal.js comes from npm).
  For pages that ask no other host install Node.js with npm (sudo apt install npm) and run make again."""


def ready():
    """True if the vendored folder holds exactly the wanted versions."""
    return STAMP.exists() and json.loads(STAMP.read_text()) == list(WANTED)


def unpack(archive, folder, inside, keep):
    """Unpack from an npm archive what `keep` names (a name ending in / is a folder)."""
    root = "/".join(filter(None, ("package", inside))) + "/"
    with tarfile.open(archive) as tar:
        for member in tar.getmembers():
            path = member.name.removeprefix(root)
            if path == member.name or not member.isfile() or ".." in Path(path).parts:
                continue
            if any(path == k or (k.endswith("/") and path.startswith(k)) for k in keep):
                target = folder / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(tar.extractfile(member).read())


def fetch(npm):
    """Fetch all wanted packages and put them in place at once; subprocess.CalledProcessError if npm fails."""
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        for package, (name, inside, keep) in WANTED.items():
            print(f"fetching {package} ...", flush=True)
            run = subprocess.run(
                [npm, "pack", "--silent", package],
                cwd=scratch,
                text=True,
                check=True,
                capture_output=True,
            )
            unpack(scratch / run.stdout.split()[-1], scratch / "vendor" / name, inside, keep)
        shutil.rmtree(VENDOR, ignore_errors=True)
        shutil.copytree(scratch / "vendor", VENDOR)
    STAMP.write_text(json.dumps(list(WANTED)))


def main():
    if ready():
        return
    npm = shutil.which("npm")
    if not npm:
        print(WITHOUT.format(why="npm not found."))
        return
    try:
        fetch(npm)
    except subprocess.CalledProcessError as error:
        print(
            WITHOUT.format(why=f"npm could not fetch the JavaScript:\n{error.stderr.strip()}"),
            file=sys.stderr,
        )


if __name__ == "__main__":
    main()
