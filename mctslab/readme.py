"""The parts of the README that are computed from committed rows: ``python -m mctslab.readme`` brings them up to date."""
from .claims import ledger, summary
from .core import InputError
from .status import cost_table
from .study import project_folder

PARTS = {"ledger": lambda: summary(ledger()), "costs": lambda: cost_table("paper")}


def with_part(page, name, text):
    """A page of Markdown with a text between the lines that mark its place, ``<!-- name -->`` and ``<!-- end of name -->``.

    Raises
    ------
    InputError
        If the page has not both marks.
    """
    before, mark, rest = page.partition(f"<!-- {name} -->\n")
    _, end, after = rest.partition(f"<!-- end of {name} -->")
    if not end:
        raise InputError(f"the page has no place for its {name}, between <!-- {name} --> and <!-- end of {name} -->")
    return f"{before}{mark}{text.rstrip()}\n{end}{after}"


def main():
    path = project_folder() / "README.md"
    page = path.read_text(encoding="utf-8")
    for name, part in PARTS.items():
        page = with_part(page, name, part())
    path.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
