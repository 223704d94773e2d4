"""The report: the executed notebooks as a small site of plain pages that need no network and no script.

Each notebook becomes a page, its pictures files beside it. The index is put together as a notebook of its own: the ledger
of claims, then the studies by paper, each with its question and its first chart. Formulas are turned into MathML, which
browsers draw themselves. The same notebooks give the same bytes.
"""
import hashlib
import re
from base64 import b64decode
from html import escape, unescape
from pathlib import Path

import nbformat
from latex2mathml.converter import convert as mathml
from nbconvert import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from .core import InputError
from .notebook import find_gap

TEMPLATE = Path(__file__).with_name("report_page")
LEDGER = "40_claims"        # the notebook whose outputs stand on top of the index
GROUPS = {                  # by the first digit of the notebook's name, or by its folder; in the order of the index
    "1": "Nested Monte-Carlo Search\n\n*T. Cazenave, IJCAI 2009*",
    "2": "Monte Carlo Permutation Search\n\n*T. Cazenave, arXiv 2510.06381, 2025*",
    "3": "Dynamic resource allocation for Ensemble Determinization MCTS\n\n"
         "*Kowalski, Ciężkowski, Krzyżyński and Winands, 2026*",
    "concepts": "Concepts",
}
NUMBER = re.compile(r"[-+]?([\d.,]+(e[-+]?\d+)?|nan|inf)", re.I)
TITLE = "Monte Carlo search, studied again"
INTRODUCTION = """
Three papers, their games and searchers written anew, their experiments played again. Each page below is an executed
notebook: the question, what was played, figures, tests, limits and exercises. The code of every step is folded away under
*Code*."""


class Page:
    """A notebook on its way to a page: its title, its question, its pictures moved out to files.

    Parameters
    ----------
    path : pathlib.Path
        The executed notebook.
    """

    def __init__(self, path):
        source = path.read_bytes()
        self.name, self.digest = path.stem, hashlib.sha256(source).hexdigest()
        self.group = path.stem[0] if path.parent.name == "notebooks" else path.parent.name
        self.notebook = nbformat.reads(source.decode(), 4)
        self.title, self.question = (self.notebook.cells[0].source.lstrip("# ").split("\n\n") + [""])[:2]
        self.files = take_pictures(self.notebook, self.name, self.title)

    def key_figure(self):
        """A cell with the first chart alone; none where there is no chart."""
        charts = [output for cell in self.notebook.cells for output in cell.get("outputs", []) if "file" in output.metadata]
        return [nbformat.v4.new_code_cell(outputs=charts[:1])] if charts else []

    def findings(self):
        """The outputs without code and prose, and without the footer."""
        code = [cell for cell in self.notebook.cells if cell.cell_type == "code"]
        return [nbformat.v4.new_code_cell(outputs=cell.outputs) for cell in code[:-1]]


def take_pictures(notebook, name, title):
    """Move the charts of a notebook to files and say of every picture what it shows.

    What a picture shows is what its output says under ``alt``, else the last heading before it and the title.

    Returns
    -------
    dict of str to bytes
        The files.
    """
    files, heading = {}, title
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            heading = [heading, *re.findall(r"^##+ (.+)", cell.source, re.M)][-1]
        for output in cell.get("outputs", []):
            told = output.setdefault("metadata", nbformat.NotebookNode())      # printed text has none
            told.alt = re.sub("[*`$]", "", f"{heading} ({title})")
            if "image/png" in output.get("data", {}):
                told.alt = told.get("image/png", {}).get("alt") or f"{told.alt}, chart {len(files) + 1}"
                file, content = f"figures/{name}-{len(files) + 1}.png", b64decode(output.data["image/png"])
                files[file] = content
                told.update(file=file, width=int.from_bytes(content[16:20]), height=int.from_bytes(content[20:24]))
    return files


class Renderer(IPythonRenderer):
    """Markdown with formulas as MathML and with anchors that MathML in a heading survives."""

    def heading(self, text, level, **attributes):
        anchor = escape(plain(text).replace(" ", "-"))
        link = f'<a class="anchor" href="#{anchor}" aria-label="Link to this section">#</a>'
        return f'<h{level} id="{anchor}">{text}{link}</h{level}>\n'

    def inline_math(self, body):
        return mathml(body)

    def block_math(self, body):
        return mathml(body, display="block")

    def latex_environment(self, name, body):
        return mathml(rf"\begin{{{name}}}{body}\end{{{name}}}", display="block")


def markdown(source):
    """Markdown as HTML."""
    return MarkdownWithMath(Renderer(escape=False)).render(source)


def plain(html):
    """The text of HTML."""
    return unescape(re.sub("<.*?>", "", html))


def tidy(html, alt):
    """A table without the style it brings, its columns of words to the left; a drawing with its description."""
    html = re.sub(r"<style scoped>.*?</style>\n?", "", html, flags=re.S).replace(' border="1" class="dataframe"', "")
    head, begin, body = html.partition("<tbody>")
    first = re.findall(r"<(t[hd])[^>]*>(.*?)</", body.partition("</tr>")[0])
    words = [tag == "th" or not NUMBER.fullmatch(text) for tag, text in first]

    def align(row):
        left = iter(words)
        return re.sub("<t([hd])", lambda m: f'<t{m[1]} class="words"' if next(left, False) else m[0], row[0])
    if words:
        head = re.sub("<tr.*?</tr>", align, head, flags=re.S)
        body = re.sub("<td>(.*?)<", lambda m: m[0] if NUMBER.fullmatch(m[1]) else f'<td class="words">{m[1]}<', body)
    html = head + begin + body
    return html if "<title>" in html else html.replace("<svg ", f'<svg role="img" aria-label="{alt}" ')


def sections(html):
    """Anchors and texts of the second headings."""
    return [(unescape(anchor), plain(text)) for anchor, text in re.findall('<h2 id="(.*?)">(.*?)<a class="anchor"', html)]


def read_pages(folder):
    """All notebooks of a folder, in the order of the index.

    Raises
    ------
    InputError
        If there is none, or some are not executed.
    """
    paths = [path for path in sorted(folder.rglob("*.ipynb")) if ".failed" not in path.suffixes
             and not any(part.startswith(".") for part in path.relative_to(folder).parts)]
    if not paths:
        raise InputError(f"{folder} has no notebooks: run mctslab within its checkout")
    raw = [path.name for path in paths if find_gap(nbformat.read(path, 4))]
    if raw:
        raise InputError(f"not executed: {', '.join(raw)}; a report has executed notebooks only (mctslab run)")
    order = list(GROUPS)
    return sorted(map(Page, paths), key=lambda page: order.index(page.group) if page.group in order else len(order))


def make_index(pages):
    """The index as a notebook."""
    text = nbformat.v4.new_markdown_cell
    cells, group = [text(f"# {TITLE}\n{INTRODUCTION}")], None
    for page in pages:
        if page.name == LEDGER:
            head = f"## {page.title}\n\n{page.question}\n\n[The rule, limits and code]({page.name}.ipynb)"
            cells[1:1] = [text(head), *page.findings()]
            continue
        if page.group != group:
            group = page.group
            cells.append(text(f"## {GROUPS.get(group, 'More')}"))
        cells += [text(f"### [{page.title}]({page.name}.ipynb)\n\n{page.question}"), *page.key_figure()]
    return nbformat.v4.new_notebook(cells=cells, metadata={"language_info": {"name": "python"}})


def link_pages(html, names):
    """Links to notebooks as links to their pages."""
    def page(match):
        return f'href="{match[1]}.html' if match[1] in names else match[0]
    return re.sub(r'href="[^":]*?([^":/]+)\.ipynb(?=["#])', page, html)


def build(project, out):
    """Write the site.

    Parameters
    ----------
    project : pathlib.Path
        The checkout; its ``notebooks`` are shown.
    out : pathlib.Path
        Folder of the site, made where it is missing. Files of other names in it are left alone.

    Returns
    -------
    pathlib.Path
        The index.

    Raises
    ------
    InputError
        If a notebook is not executed.
    """
    pages = read_pages(project / "notebooks")
    exporter = HTMLExporter(template_file=str(TEMPLATE / "page.html.j2"), template_name="base", extra_template_basedirs=[],
                            filters={"markdown": markdown, "tidy": tidy, "sections": sections})
    names = {page.name for page in pages}

    def write(name, notebook, **facts):
        html, _ = exporter.from_notebook_node(notebook, {"name": name, **facts})
        (out / f"{name}.html").write_text(link_pages(html, names), encoding="utf-8")

    (out / "figures").mkdir(parents=True, exist_ok=True)
    (out / "style.css").write_bytes((TEMPLATE / "style.css").read_bytes())
    for before, page, after in zip([None, *pages], pages, [*pages[1:], None]):
        write(page.name, page.notebook, title=page.title, digest=page.digest, before=before, after=after)
        for file, content in page.files.items():
            (out / file).write_bytes(content)
    digest = hashlib.sha256("".join(page.digest for page in pages).encode()).hexdigest()
    write("index", make_index(pages), title=TITLE, digest=digest)
    return out / "index.html"
