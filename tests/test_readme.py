"""What the README says in tables is what the committed rows say."""
import pytest

from mctslab import InputError, readme, study


@pytest.mark.parametrize("name", readme.PARTS)
def test_a_computed_part_of_the_readme_is_up_to_date(name):
    page = (study.project_folder() / "README.md").read_text(encoding="utf-8")
    assert readme.with_part(page, name, readme.PARTS[name]()) == page, "python -m mctslab.readme brings it up to date"


def test_a_page_without_a_place_for_a_part_is_refused():
    page = "# title\n<!-- costs -->\nold\n<!-- end of costs -->\nrest\n"
    assert readme.with_part(page, "costs", "new\n") == page.replace("old", "new")
    with pytest.raises(InputError, match="no place for its ledger, between <!-- ledger -->"):
        readme.with_part(page, "ledger", "new")
