"""The README's Python runs as it stands."""
import re
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"
BLOCKS = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_a_block_of_python_runs(block, capsys):
    exec(compile(block, "README.md", "exec"), {"__name__": "readme"})
    assert capsys.readouterr().out


def test_every_command_names_things_that_exist():
    text = README.read_text()
    from mctslab import GAMES, SEARCHERS
    for spec in re.findall(r"mctslab solve \"?([a-z_]+)", text):
        assert spec in GAMES
    for spec in re.findall(r"--searcher \"?([a-z_]+)", text):
        assert spec in SEARCHERS
