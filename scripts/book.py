"""Build the book into _build/html: warnings are errors, every page of _toc.yml must exist."""

import fcntl
import re
import shutil
import subprocess
import sys
from pathlib import Path

import book_ext
import vendor
import yaml

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "_build"
HTML = BUILD / "html"
LOG = BUILD / "build.log"
STAMP = BUILD / ".built"
SOURCES = ("book", "rbdlite", "scripts", "_config.yml", "_toc.yml", "pyproject.toml", "CHANGELOG.md")


def pages():
    """The documents that _toc.yml names, in order, without suffix."""

    def walk(node):
        if isinstance(node, dict):
            yield from (node[key] for key in ("root", "file") if key in node)
            for value in node.values():
                yield from walk(value)
        elif isinstance(node, list):
            for value in node:
                yield from walk(value)

    found = [
        str(Path(doc).with_suffix("")) for doc in walk(yaml.safe_load((ROOT / "_toc.yml").read_text()))
    ]
    if not found:
        sys.exit("_toc.yml names no page.")
    return found


def fingerprint():
    """Changes when anything that goes into the book changes."""
    return book_ext.tree_hash(*SOURCES) + str(vendor.ready())


def run_jupyter_book():
    """Build, with the output on the screen and in _build/build.log. Returns the exit code."""
    command = [
        sys.executable,
        "-c",
        "from jupyter_book.cli.main import main; main()",
        "build",
        ".",
        "-W",
        "-n",
        "--keep-going",
    ]
    with LOG.open("w") as log:
        process = subprocess.Popen(
            command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        for line in process.stdout:
            if line.startswith("[IPKernelApp] WARNING"):
                continue
            print(line, end="", flush=True)
            log.write(re.sub(r"\x1b\[[0-9;]*m", "", line))
        return process.wait()


def complaints():
    """What went wrong, from the log: Sphinx's warnings and errors and the last line of each Python error."""
    pattern = re.compile(r"\b(WARNING|ERROR): |^(?!RuntimeError)[A-Za-z.]+(Error|Exception): .")
    lines = [line for line in LOG.read_text().splitlines() if pattern.search(line)]
    if any("Executing notebook failed" in line for line in lines):
        lines.append(
            "To see the failing cell, run that notebook in `make edit`, or look for 'Traceback' in the log."
        )
    return list(dict.fromkeys(line for line in lines if "ExecutionError: /" not in line))


def build():
    """Build unless the book is up to date. Exits with a message if a page fails or is missing."""
    BUILD.mkdir(exist_ok=True)
    with (BUILD / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        vendor.main()
        now = fingerprint()
        if STAMP.exists() and STAMP.read_text() == now:
            print("The book in _build/html is up to date.")
            return
        if not STAMP.exists():  # after a failed build Sphinx would not repeat its warnings
            shutil.rmtree(HTML, ignore_errors=True)
            shutil.rmtree(BUILD / ".doctrees", ignore_errors=True)
        STAMP.unlink(missing_ok=True)
        code = run_jupyter_book()
        if code:
            sys.exit(
                "\n".join(
                    ["", *complaints(), "", "The book was not built. The whole log: _build/build.log"]
                )
            )
        missing = [page for page in pages() if not (HTML / f"{page}.html").exists()]
        if missing:
            sys.exit(f"The build ended well but these pages of _toc.yml are missing: {', '.join(missing)}")
        first = HTML / "index.html"  # sends the reader on to the first page; without an icon the browser asks for one
        first.write_text('<link rel="icon" href="data:,">\n' + first.read_text())
        STAMP.write_text(now)
        print(
            f"{len(pages())} pages in _build/html"
            + ("." if vendor.ready() else "; MathJax comes from a CDN.")
        )


if __name__ == "__main__":
    build()
