"""Normal form of the committed notebooks: text outputs only, stable ids, counts in order, minimal metadata.

notebooks.py [FILES]             rewrite them in normal form (default: all of book/ and exercises/)
notebooks.py --execute [FILES]   run them first, in their own folder
notebooks.py --check [FILES]     change nothing; exit 1 and name each notebook that is not in normal form
"""

import argparse
import hashlib
import json
import re
import sys
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = "book", "exercises"
STUB = "<p><i>Shown in the built book and in JupyterLab.</i></p>"
WIDGETS = "application/vnd.jupyter.widget-view+json"
TEXT = "text/plain", "text/latex", "text/markdown"
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
CELL_METADATA = "tags", "slideshow", "mystnb", "nbgrader"


def find():
    """All notebooks of the repository that are kept in normal form, as sorted paths."""
    found = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*.ipynb"))
    hidden = re.compile(r"(^|/)[._]")
    return sorted(path for path in found if not hidden.search(str(path.relative_to(ROOT))))


def joined(value):
    """Text of a notebook file, which may be cut into a list of lines."""
    return "".join(value) if isinstance(value, list) else value


def steady(value):
    """Text of an output without the addresses of objects, which are chance."""
    return re.sub(r"0x[0-9a-f]{6,16}", "0x...", joined(value))


def normal_output(output, count):
    """One output in normal form; None if nothing of it is text."""
    kind = output["output_type"]
    if kind == "stream":
        return nbformat.v4.new_output("stream", name=output["name"], text=steady(output["text"]))
    if kind == "error":
        return nbformat.v4.new_output("error", ename=output["ename"], evalue=output["evalue"], traceback=[])
    data = {mime: steady(output["data"][mime]) for mime in TEXT if mime in output["data"]}
    if "text/html" in output["data"]:
        data["text/html"] = STUB
    if WIDGETS in output["data"]:  # their text is the tree of all parts
        data = {"text/plain": "<ipywidgets, shown in JupyterLab>"}
    if not data:
        return None
    if kind == "execute_result":
        return nbformat.v4.new_output(kind, data=data, execution_count=count)
    return nbformat.v4.new_output(kind, data=data)


def join_streams(outputs):
    """Neighbouring pieces of one stream as one output: where the kernel cut them is chance."""
    joined = []
    for out in outputs:
        last = joined[-1] if joined else None
        if last and out["output_type"] == last["output_type"] == "stream" and out["name"] == last["name"]:
            last["text"] += out["text"]
        else:
            joined.append(out)
    return joined


def normalise(nb):
    """The notebook (format 4; a plain dict will do) in normal form. The argument is not changed."""
    if nb["nbformat"] != 4:
        raise ValueError(f"notebook format 4 expected, not {nb['nbformat']}")
    cells, ids, count = [], set(), 0
    for old in nb["cells"]:
        source = joined(old["source"]).rstrip()
        new = {"cell_type": old["cell_type"], "source": source}
        new["metadata"] = {key: old["metadata"][key] for key in CELL_METADATA if old["metadata"].get(key)}
        if old.get("attachments"):
            new["attachments"] = old["attachments"]
        name, n = old.get("id") or hashlib.sha1(source.encode()).hexdigest()[:8], 0
        while name in ids:
            n, name = n + 1, hashlib.sha1(f"{source}{n}".encode()).hexdigest()[:8]
        ids.add(name)
        new["id"] = name
        if old["cell_type"] == "code":
            count += bool(source)
            new["execution_count"] = count if source else None
            outputs = (normal_output(out, count) for out in old["outputs"])
            new["outputs"] = join_streams([out for out in outputs if out])
        cells.append(new)
    return nbformat.from_dict({"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5})


def text(nb):
    """The file's text."""
    return nbformat.writes(nb).rstrip("\n") + "\n"


def execute(nb, path):
    """Run all cells in the notebook's folder. A failing cell raises and is named."""
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    options = {"timeout": 300, "extra_arguments": ["--IPKernelApp.log_level=ERROR"]}
    try:
        NotebookClient(nb, resources={"metadata": {"path": str(path.parent)}}, **options).execute()
    except CellExecutionError as error:
        sys.exit(
            f"{path.relative_to(ROOT)}: a cell fails. To let it fail on purpose, tag it "
            f"'raises-exception'.\n{error}"
        )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--execute", action="store_true", help="run the notebooks first")
    parser.add_argument("--check", action="store_true", help="change nothing, fail on what is not normal")
    args = parser.parse_args()
    bad = []
    paths = [p.resolve() for p in args.files] or find()
    for path in paths:
        name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
        stored = path.read_text(encoding="utf-8")
        nb = normalise(json.loads(stored))
        if args.execute:
            print(f"running {name} ...", flush=True)
            execute(nb, path)
        wanted = text(normalise(nb))
        if wanted != stored:
            bad.append(str(name))
            if not args.check:
                path.write_text(wanted, encoding="utf-8")
    if args.check and bad:
        sys.exit("not in normal form (run `make notebooks`):\n  " + "\n  ".join(bad))
    done = "in normal form" if args.check else f"{len(bad)} rewritten" if bad else "none changed"
    print(f"{len(paths)} notebooks, {done}")


if __name__ == "__main__":
    main()
