"""The report: complete, the same each time, and readable in a browser that has no network and no script."""
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import chromium
import nbformat
import pandas as pd
import pytest

from mctslab.cli import main
from mctslab.report import Page, build, link_pages, markdown, sections, tidy

PROJECT = Path(__file__).parents[1]
MADE = nbformat.v4
DOT = "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAAEklEQVR42mP8z8BQDwAFgwGAXv3/ywAAAABJRU5ErkJggg=="     # 3 by 2


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The report on the committed notebooks."""
    return build(PROJECT, tmp_path_factory.mktemp("site")).parent


@pytest.fixture(scope="module")
def pages(site):
    """The elements of each page of the report."""
    return {page.name: Elements(page) for page in sorted(site.glob("*.html"))}


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project with one small executed notebook."""
    (tmp_path / "notebooks").mkdir()
    monkeypatch.setenv("MCTSLAB_PROJECT", str(tmp_path))
    prose = "# Coins\n\nWho takes the last?\n\n## Play\n\n[Hex](20_mcps_hex.ipynb)\n\n[Coins](10_coins.ipynb#Play)"
    write(tmp_path, "10_coins", prose, {"text/plain": "2 < 3"}, "print & be read")
    return tmp_path


def write(project, name, prose, *shown):
    """Write an executed notebook: prose, and a code cell for each thing shown or, where it is text, printed."""
    outputs = [MADE.new_output("stream", text=data) if isinstance(data, str) else MADE.new_output("display_data", data)
               for data in shown]
    cells = [MADE.new_code_cell(f"code{i}", execution_count=i, outputs=[output]) for i, output in enumerate(outputs, 1)]
    nbformat.write(MADE.new_notebook(cells=[MADE.new_markdown_cell(prose), *cells]), project / f"notebooks/{name}.ipynb")


class Elements(HTMLParser):
    """All elements of a page: names with their attributes."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page.read_text())

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))

    def of(self, *tags):
        return [attributes for tag, attributes in self.found if tag in tags]


def test_every_notebook_has_a_page_and_the_index_links_to_it(pages):
    names = {path.stem + ".html" for path in (PROJECT / "notebooks").rglob("[!.]*.ipynb")}
    assert set(pages) == names | {"index.html"}
    assert names <= {a.get("href") for a in pages["index.html"].of("a")}


def test_links_within_the_site_resolve(pages):
    anchors = {name: {attributes.get("id") for _, attributes in page.found} for name, page in pages.items()}
    for name, page in pages.items():
        for href in (a["href"] for a in page.of("a") if not re.match("https?:", a["href"])):
            file, _, anchor = href.partition("#")
            assert (file or name) in pages, f"{name}: {href}"
            assert not anchor or anchor in anchors[file or name], f"{name}: {href}"


def test_no_page_has_a_script_or_loads_anything_but_its_own_files(site, pages):
    for name, page in pages.items():
        assert not page.of("script", "iframe", "object", "embed", "base"), name
        loaded = [e["href"] for e in page.of("link")] + [e.get("src") for e in page.of("img", "source", "video", "audio")]
        assert all(file == "data:," or (site / file).is_file() for file in loaded), name
    for file in [*site.glob("*.html"), *site.glob("*.css")]:
        assert not re.search(r"url\(|@import|\ssrcset=|\son\w+=", file.read_text()), file.name


def test_every_picture_says_what_it_shows(site, pages):
    charts = [(name, image) for name, page in pages.items() for image in page.of("img")]
    assert len(charts) > 20
    assert [name for name, image in charts if len(image.get("alt", "")) < 15] == []
    for page in site.glob("*.html"):
        for drawing in re.findall("<svg.*?</svg>", page.read_text(), re.S):
            assert 'role="img"' in drawing and ("<title>" in drawing or "aria-label=" in drawing)


def test_formulas_are_mathml(site):
    text = (site / "25_mcps_ablations.html").read_text()
    assert text.count("<math") >= 5 and "$" not in re.sub("<pre>.*?</pre>", "", text, flags=re.S)
    assert "<msup><mi>σ</mi><mn>2</mn></msup>" in text
    assert 'display="block"' in markdown("$$\\frac{1}{n}$$") and "<mfrac>" in markdown("$$\\frac{1}{n}$$")
    assert "<mtable" in markdown("\\begin{matrix}a & b\\end{matrix}")


def test_the_same_notebooks_give_the_same_bytes(site, tmp_path):
    build(PROJECT, tmp_path)
    files = {path.relative_to(site): path.read_bytes() for path in site.rglob("*") if path.is_file()}
    assert files == {path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}


def test_the_command_names_the_index_and_escapes_text(project, capsys):
    with pytest.raises(SystemExit) as end:
        main(["report"])
    index = project / "build/report/index.html"
    assert end.value.code == 0 and capsys.readouterr().out == f"{index}\n"
    assert "Who takes the last?" in index.read_text()
    page = (index.parent / "10_coins.html").read_text()
    assert "<pre>2 &lt; 3</pre>" in page and "<pre>print &amp; be read</pre>" in page


def test_links_to_notebooks_become_links_to_pages_where_there_is_one(project):
    text = (build(project, project / "site").parent / "10_coins.html").read_text()
    assert 'href="10_coins.html#Play"' in text and 'href="20_mcps_hex.ipynb"' in text
    assert link_pages('<a href="concepts/01_a.ipynb">', {"01_a"}) == '<a href="01_a.html">'
    assert link_pages('<a href="https://host/01_a.ipynb">', {"01_a"}) == '<a href="https://host/01_a.ipynb">'


def test_notebooks_that_are_not_executed_are_named_in_one_line(project, capsys):
    raw = MADE.new_notebook(cells=[MADE.new_markdown_cell("# Raw"), MADE.new_code_cell("1")])
    for name in ("11_raw", "12_raw", "13_broken.failed"):
        nbformat.write(raw, project / f"notebooks/{name}.ipynb")
    with pytest.raises(SystemExit) as end:
        main(["report", "--out", str(project / "out")])
    error = capsys.readouterr().err
    assert end.value.code == 2 and error.count("\n") == 1
    assert "not executed: 11_raw.ipynb, 12_raw.ipynb;" in error
    assert not (project / "out").exists()


def test_the_ledger_stands_on_top_of_the_index_without_code_and_footer(project):
    write(project, "40_claims", "# Claims\n\nWhat holds?", {"text/markdown": "two hold"}, {"text/markdown": "the footer"})
    index = build(project, project / "site").read_text()
    assert index.index("two hold") < index.index("Who takes the last?")
    assert "What holds?" in index and "code1" not in index and "the footer" not in index


def test_a_chart_is_described_by_its_output_or_else_by_the_heading_before_it(project):
    write(project, "10_coins", "# Coins\n\nWho?\n\n## The *end*", {"image/png": DOT}, {"image/png": DOT})
    path = project / "notebooks/10_coins.ipynb"
    notebook = nbformat.read(path, 4)
    notebook.cells[2].outputs[0].metadata["image/png"] = {"alt": "rising"}
    nbformat.write(notebook, path)
    page = Page(path)
    first, second = (cell.outputs[0].metadata for cell in page.notebook.cells[1:])
    assert (first.alt, second.alt) == ("The end (Coins), chart 1", "rising")
    assert (first.width, first.height) == (3, 2) and list(page.files) == ["figures/10_coins-1.png", "figures/10_coins-2.png"]


def test_columns_of_words_stand_to_the_left_and_drawings_without_a_title_are_described():
    table = tidy(pd.DataFrame({"who": ["a"], "n": [-1.5e-9], "share": [float("nan")]}).to_html(), "")
    assert re.findall(r'class="words">(\w+)<', table) == ["who", "a"]
    assert "<td>NaN</td>" in table and "<style" not in table and "border" not in table
    assert 'aria-label="a board"' in tidy("<svg viewBox='0 0 1 1'></svg>", "a board")
    assert sections(markdown("## Is $x$ & *y*?")) == [("Is-x-&-y?", "Is x & y?")]


# In the browser

@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    if not chromium.PATH:
        pytest.skip("needs Chromium")
    browser = chromium.Browser(tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()


def test_the_browser_notices_requests_and_errors(browser, tmp_path):
    page = tmp_path / "bad.html"
    page.write_text("<img src='http://127.0.0.1:9/a.png'><script>console.error('b'); throw new Error('c')</script>")
    asked, errors = browser.open(page.as_uri(), 1000)
    assert asked == [page.as_uri(), "http://127.0.0.1:9/a.png"]
    assert all(text in json.dumps(errors) for text in ("ERR_", "Error: c", '"b"'))


def test_every_page_opens_without_an_error_and_without_a_request_to_the_network(browser, site):
    for page in sorted(site.glob("*.html")):
        asked, errors = browser.open(page.as_uri(), 1000)
        assert errors == [], page.name
        assert [url for url in asked if not url.startswith((site.as_uri(), "data:"))] == [], page.name
        assert browser.evaluate("[...document.images].every(image => image.complete && image.naturalWidth > 0)"), page.name
        assert browser.evaluate("getComputedStyle(document.querySelector('main')).display") == "grid", page.name


def test_no_page_is_wider_than_a_telephone(browser, site):
    for page in sorted(site.glob("*.html")):
        browser.open(page.as_uri(), 360)
        assert browser.evaluate("document.documentElement.scrollWidth") <= 360, page.name


def test_formulas_are_drawn(browser, site):
    browser.open((site / "25_mcps_ablations.html").as_uri(), 1000)
    power = "[...document.querySelector('msup').children]"
    base, exponent = browser.evaluate(f"{power}.map(part => part.getBoundingClientRect().bottom)")
    assert base > exponent + 1
