"""Student versions of the exercise notebooks: no solutions, no outputs.

    student.py [--keep] [--out FOLDER] [FILES]     default: all of exercises/, written to _build/student/

What stands between ### BEGIN SOLUTION and ### END SOLUTION (nbgrader's markers; hidden tests likewise) is replaced by
a line that invites an answer. `nbgrader generate_assignment` reads the same notebooks. With --chapters come copies of
the book's pages to write in, in FOLDER/chapters/. All copies are in plain markdown (plain.py): JupyterLab would show
the book's directives raw, and the answers that they hide open.
"""

import argparse
import re
import shutil
import sys
from pathlib import Path

import nbformat
from notebooks import ROOT, normalise, text
from plain import ALONE, Plain

HIDDEN = {"hide-input", "hide-cell", "remove-input", "remove-cell"}  # tags of cells whose source a page folds, or drops
MARK = re.compile(r"^(\s*)### (BEGIN|END) (SOLUTION|HIDDEN TESTS)\s*$")


def stripped(source, where):
    """A cell's text without its solution. Exits naming `where` if markers do not pair up."""
    out, inside = [], None
    for line in source.splitlines():
        mark = MARK.match(line)
        if mark is None:
            if "BEGIN SOLUTION" in line or "END SOLUTION" in line:
                sys.exit(f"{where}: write the marker as ### BEGIN SOLUTION, alone on its line; got {line.strip()!r}")
            out += [line] if inside is None else []
            continue
        indent, edge, kind = mark.groups()
        if (edge == "BEGIN") != (inside is None) or (edge == "END" and kind != inside):
            sys.exit(f"{where}: {line.strip()!r} has no partner")
        inside = kind if edge == "BEGIN" else None
        if edge == "BEGIN" and kind == "SOLUTION":
            out.append(f"{indent}# your answer here")
            out += [f"{indent}raise NotImplementedError"] if indent else []
    if inside:
        sys.exit(f"{where}: ### BEGIN {inside} has no ### END {inside}")
    return "\n".join(out)


def copied(nb, plain):
    """A copy to write in: without outputs, its markdown plain, and cells folded that a page does not show."""
    nb = normalise(nb)
    for cell in nb.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
            if HIDDEN & set(cell.metadata.get("tags", ())):
                cell.metadata["jupyter"] = {"source_hidden": True}
        elif cell.cell_type == "markdown":
            cell.source = plain(cell.source)
    return nb


def student(nb, name, links=None):
    """The student version of a notebook, as a new one. Exits if there is no solution to take out."""
    found = 0
    nb = copied(nb, Plain(name, links))
    for k, cell in enumerate(nb.cells):
        if cell.cell_type == "code":
            new = stripped(cell.source, f"{name}, cell {k + 1}")
            found += new != cell.source
            cell.source = new
    if not found:
        sys.exit(f"{name}: no ### BEGIN SOLUTION in it")
    return nb


def write(nb, target, keep):
    """Write the notebook, or say that the one that is there is kept."""
    if keep and target.exists():
        print(f"{target}: kept as it is")
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text(nb), encoding="utf-8")
    print(target)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--out", type=Path, default=ROOT / "_build" / "student")
    parser.add_argument("--chapters", action="store_true", help="the pages of the book too")
    parser.add_argument("--keep", action="store_true", help="leave files that are there already: they hold answers")
    args = parser.parse_args()
    paths = args.files or sorted((ROOT / "exercises").glob("*.ipynb"))
    if not paths:
        sys.exit("exercises/ holds no notebook")
    for path in paths:
        nb = student(nbformat.read(path, as_version=4), path.name, "chapters/" if args.chapters else None)
        write(nb, args.out / path.name, args.keep)
    if args.chapters:
        for path in sorted((ROOT / "book").glob("*.ipynb")):
            if path.name not in ALONE:
                nb = copied(nbformat.read(path, as_version=4), Plain(path.name, ""))
                write(nb, args.out / "chapters" / path.name, args.keep)
        shutil.copy(ROOT / "book" / "questions.json", args.out / "chapters")


if __name__ == "__main__":
    main()
