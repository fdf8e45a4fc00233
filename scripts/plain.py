"""MyST markdown as the markdown that JupyterLab, VS Code and others show without an extension.

A dropdown becomes <details>, closed; a reference becomes the title of the section, in italics or as a link to the copy
of its page; a term stays as a word, a citation as (author year). What is not known stops: nothing is left raw.
"""

import html
import re
import sys

import nbformat
from notebooks import ROOT

OPEN = re.compile(r"^(\s*)(`{3,}|:{3,}|~{3,})[ \t]*(?:\{([\w:-]+)\}[ \t]*(.*)|.*)$")
# A directive in a quotation, or on the line on which an item of a list begins.
INSIDE = re.compile(r"^\s*(?:(?:>|[-*+]|\d+[.)])\s*)+(?::{3,}|(?:`{3,}|~{3,})\s*\{)")
EMPTY = "\0"  # an empty line of code, until other empty lines have been made one
TARGET = re.compile(r"^\(([\w:-]+)\)=\s*$")
HEADING = re.compile(r"^#+\s+(.*?)\s*$")
# Whatever begins first counts: a role, a link to a label, or code, which is left alone.
INLINE = re.compile(
    r"\{(?P<role>[\w:-]+)\}`(?P<text>[^`]+)`"
    r"|\[(?P<words>[^\[\]]*)\]\(#?(?P<label>[\w:-]+)\)"
    r"|(?P<ticks>`+)(?!`)(?:(?!\n\n).)*?(?<!`)(?P=ticks)(?!`)",
    re.S,
)
NOTES = "admonition attention caution danger error hint important note seealso tip warning".split()
ALONE = {"errata.ipynb"}  # reads the files of book/, so there is no copy of it


def labels():
    """{label: (page, title of the section that it stands before)} over all pages of the book."""
    found = {}
    for path in sorted([*(ROOT / "book").glob("*.ipynb"), *(ROOT / "book").glob("*.md")]):
        if path.suffix == ".md":
            texts = [path.read_text(encoding="utf-8")]
        else:
            texts = [c.source for c in nbformat.read(path, as_version=4).cells if c.cell_type == "markdown"]
        waiting = []
        for line in "\n".join(texts).splitlines():
            if target := TARGET.match(line):
                waiting.append(target[1])
            elif heading := HEADING.match(line):
                found.update(dict.fromkeys(waiting, (path.name, heading[1])))
                waiting = []
    return found


def sources():
    """{key: "Author year"} of references.bib; two authors by name, more as "and others"."""
    found = {}
    for key, entry in re.findall(
        r"^@\w+\{([^,\s]+),(.*?)^\}", (ROOT / "book/references.bib").read_text(encoding="utf-8"), re.M | re.S
    ):
        fields = dict(re.findall(r"^\s*(\w+)\s*=\s*[{\"](.*?)[}\"],?\s*$", entry, re.M))
        people = re.split(r"\s+and\s+", fields.get("author") or fields.get("editor") or key)
        names = [re.sub(r"[{}]", "", p.split(",")[0] if "," in p else p.split()[-1]) for p in people]
        who = f"{names[0]} and others" if len(names) > 2 else " and ".join(names)
        found[key] = f"{who} {fields.get('year', '')}".strip()
    return found


class Plain:
    """plain(source) for the cells of one notebook. `where` is its file name; `links` (a folder as "chapters/", "" or
    None) says where copies of the other pages stand, None: nowhere."""

    def __init__(self, where, links=None):
        self.where, self.links = where, links
        self.labels, self.sources = labels(), sources()
        self.exercises = []

    def stop(self, what):
        sys.exit(f"{self.where}: scripts/plain.py does not know {what}")

    def __call__(self, source):
        text = re.sub(r"\n{3,}", "\n\n", "\n".join(self.blocks(source.splitlines()))).strip("\n")
        return re.sub(rf"[ \t]*{EMPTY}", "", text)

    def blocks(self, lines):
        """Lines without directives and targets, with blank lines around what is HTML."""
        out, words, k = [], [], 0
        while k < len(lines):
            line, k = lines[k], k + 1
            fence = OPEN.match(line)
            if fence is None:
                if INSIDE.match(line):
                    self.stop(f"a directive within a quotation or at the head of an item: {line.strip()!r}")
                words += [] if TARGET.match(line) else [line]
                continue
            out += self.inline(words)
            words = []
            indent, marks, name, title = fence.groups()
            if name is None and (marks[0] == ":" or line.lstrip()[len(marks) :].lstrip().startswith("{")):
                self.stop(f"the directive {line.strip()!r}")
            end = re.compile(rf"^\s*{marks[0]}{{{len(marks)},}}\s*$")
            stop = next((j for j in range(k, len(lines)) if end.match(lines[j])), None)
            if stop is None:
                sys.exit(f"{self.where}: {line.strip()!r} is not closed")
            body, k = lines[k:stop], stop + 1
            if name is None:
                out += [line, *(text or EMPTY for text in body), lines[stop]]
            else:
                body = [text.removeprefix(indent) for text in body]
                out += [indent + text if text else "" for text in ["", *self.directive(name, title, body), ""]]
        return out + self.inline(words)

    def directive(self, name, title, body):
        """The lines of one directive as plain markdown."""
        options = {}
        while body and (option := re.match(r"^:([\w-]+):\s*(.*)$", body[0])):
            options[option[1]] = option[2]
            body = body[1:]
        title = "\n".join(self.inline([title.strip()]))
        if name == "math":
            return ["$$", *body, "$$"]
        if name in ("figure", "image"):
            return [f"![{options.get('alt', '')}]({title})", "", *self.blocks(body)]
        body = self.blocks(body)
        if name == "exercise":
            self.exercises.append(options.get("label"))
            return [f"**Exercise {len(self.exercises)}.** {title}".rstrip(), "", *body]
        if name == "solution":
            known = title in self.exercises
            return self.closed(f"Solution of exercise {self.exercises.index(title) + 1}" if known else "Solution", body)
        if name == "dropdown" or "dropdown" in options.get("class", ""):
            return self.closed(title or "Open", body)
        if name in NOTES:
            head = title if name == "admonition" else f"{name.capitalize()}. {title}".rstrip()
            return [f"> **{head}**", ">", *(f"> {text}".rstrip() for text in body)]
        self.stop(f"the directive {{{name}}}")

    @staticmethod
    def closed(title, body):
        """<details>: the blank lines let the body be markdown again."""
        kept = []  # code and mathematics: their stars are no emphasis

        def keep(found):
            code = found["code"]
            math = re.sub(r"<(?=[A-Za-z/!?])", r"\\lt ", found[0])  # or HTML would begin a tag there
            kept.append(f"<code>{html.escape(code, quote=False)}</code>" if code else math)
            return f"\1{len(kept) - 1}\1"

        title = re.sub(r"`(?P<code>[^`]+)`|(?<!\\)\$(?:\\.|[^$\\])+\$", keep, title)
        title = html.escape(title, quote=False)
        title = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", title)
        title = re.sub(r"(?<!\*)\*([^*]+)\*(?!\*)", r"<i>\1</i>", title)
        title = re.sub("\1(\\d+)\1", lambda found: kept[int(found[1])], title)
        return [f"<details><summary>{title}</summary>", "", *body, "", "</details>"]

    def inline(self, lines):
        """Lines of running text without roles."""
        return INLINE.sub(self.token, "\n".join(lines)).split("\n") if lines else []

    def token(self, found):
        if found["role"]:
            return self.role(found["role"], found["text"])
        if found["label"] in self.labels:
            return self.reference(found["words"], found["label"])
        return found[0]

    def reference(self, words, label):
        if label not in self.labels:
            self.stop(f"the label {label}")
        page, title = self.labels[label]
        if self.links is None or page == self.where or not page.endswith(".ipynb") or page in ALONE:
            return words or f"*{self(title)}*"
        return f"[{words or self(title)}]({self.links}{page})"

    def role(self, name, text):
        """One role as words."""
        words, target = re.fullmatch(r"(?:(.*?)\s*<)?([^<>]*)>?", text, re.S).groups()
        if name in ("ref", "numref"):
            return self.reference(words, target)
        if name == "term":
            return words or target
        if name == "deck":
            return f"{words or target} (`make slides`)"
        if name.startswith("cite"):
            said = []
            for key in re.split(r"\s*,\s*", text.strip()):
                said.append(self.sources.get(key) or self.stop(f"the source {key}"))
            return f"({'; '.join(said)})" if name in ("cite", "cite:p") else ", ".join(said)
        if name == "math":
            return f"${text}$"
        if name in ("kbd", "sub", "sup"):
            return f"<{name}>{text}</{name}>"
        self.stop(f"the role {{{name}}}")

