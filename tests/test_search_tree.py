"""The tree of a search as a table, its principal variation, and its drawings."""
import xml.etree.ElementTree as ET
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from conftest import code
from plain_search import PlainMCPS

from mctslab import InputError, SearchResult
from mctslab.draw import search_tree
from mctslab.games.nim import Nim
from mctslab.games.tictactoe import TicTacToe
from mctslab.search.flat import Flat
from mctslab.search.grave import GRAVE
from mctslab.search.mcps import MCPS
from mctslab.search.uct import UCT

START = TicTacToe().new_initial_state()
NIM = Nim(heap=14, take=3).new_initial_state()
SEARCHERS = [Flat(simulations=400), UCT(simulations=400), UCT(simulations=400, solver=True), GRAVE(simulations=400),
             MCPS(simulations=400, rho=10), MCPS(simulations=400, rho=10, ref_amaf=9)]


@pytest.fixture(params=SEARCHERS, ids=str)
def searcher(request):
    return request.param


def lines_to(table, root):
    """node -> actions from the root to it, of a search without transpositions."""
    lines = {0: []}
    for row in table[table.node > 0].itertuples():
        lines[row.node] = lines[row.parent] + [row.action]
    return lines


def test_the_edges_of_the_root_are_the_rows_of_the_root_table(searcher):
    result = searcher.search(START.after([4]), seed=2)
    tree = result.tree(depth=1, visits=0).sort_values("action").reset_index(drop=True)
    assert tree.action.tolist() == START.after([4]).legal_actions()
    assert (tree.player == 1).all() and (tree.depth == 1).all() and (tree.parent == 0).all()
    columns = list(result.statistics)
    pd.testing.assert_frame_equal(tree[columns], result.table()[columns], check_dtype=False)


def test_every_edge_is_a_legal_move_of_its_player_and_has_its_name():
    tree = UCT(simulations=300, transpositions=False).search(START, 1).tree(visits=0)
    lines = lines_to(tree, START)
    for row in tree.sample(200, random_state=1).itertuples():
        state = START.after(lines[row.parent])
        assert (row.player, row.depth, row.actions) == (state.current_player(), len(lines[row.parent]) + 1,
                                                        len(state.legal_actions()))
        assert row.name == state.action_to_string(row.action)
        assert row.action in state.legal_actions()


def test_the_edges_below_a_node_have_its_visits_but_the_first():
    tree = UCT(simulations=400, transpositions=False).search(START, 1).tree()
    below = tree.groupby("parent").visits.sum()
    inner = tree[tree.node.isin(below.index)]
    assert (below[inner.node].to_numpy() == inner.visits.to_numpy() - 1).all()
    assert below[0] == 400


def test_with_transpositions_the_edges_of_a_node_are_listed_once():
    tree = UCT(simulations=1000).search(START, 1).tree(visits=0)
    assert tree.node[tree.node >= 0].duplicated().any()
    assert (tree.groupby("parent").size() == tree.groupby("parent").actions.first()).all()
    assert not tree.duplicated(["parent", "action"]).any()
    assert tree.depth.is_monotonic_increasing


def test_depth_visits_and_children_limit_the_table():
    result = UCT(simulations=400).search(START, 1)
    whole = result.tree()
    assert result.tree(depth=2).equals(whole[whole.depth <= 2].reset_index(drop=True))
    assert whole.visits.min() == 1 and result.tree(visits=20).visits.min() >= 20
    few = result.tree(children=2)
    assert few.groupby("parent").size().max() == 2
    assert few.visits[:2].tolist() == sorted(result.statistics["visits"])[:-3:-1]
    assert result.tree(visits=500).empty


@pytest.mark.parametrize(("options", "message"), [
    ({"depth": 0}, "depth is 0; it must be 1 or more"), ({"visits": -1}, "visits is -1; it must be 0 or more"),
    ({"children": 0}, "children is 0; it must be 1 or more")])
def test_a_limit_out_of_range_is_named(options, message):
    with pytest.raises(InputError, match=message):
        Flat(simulations=20).search(START).tree(**options)


class RecordingMCPS(PlainMCPS):
    """Keeps the positions by the codes that lead to them."""

    def arrive(self, here, root, path, codes):
        super().arrive(here, root, path, codes)
        self.positions = getattr(self, "positions", {}) | {tuple(codes): here}


def test_amaf_and_permutation_statistics_are_those_of_the_plain_search():
    plain = RecordingMCPS(False, 10_000, 5)
    plain.search(START, seed=5, simulations=150)
    tree = MCPS(simulations=150, rho=5, ref_amaf=4, transpositions=False).search(START, 5).tree(visits=0)
    lines, frozen = lines_to(tree, START), 0
    for row in tree.itertuples():
        codes, state = [], START.clone()
        for action in lines[row.parent]:
            codes.append(code(state, action))
            state.apply_action(action)
        here, own = plain.positions[tuple(codes)], code(state, row.action)
        amaf = here.amaf(own)
        assert row.amaf_visits == amaf.sum()
        assert row.frozen == (here.frozen is not None)
        if row.frozen:
            counts = here.frozen.get(own, np.zeros(2))
            assert row.permutation_visits == counts.sum()
            assert counts.sum() == 0 or row.permutation_value == pytest.approx(counts[row.player] / counts.sum())
        else:
            assert row.parent == 0 or np.isnan(row.permutation_visits)
        frozen += row.frozen
    assert frozen > 20


@pytest.mark.parametrize("state", [START, NIM], ids=str)
def test_a_reference_for_amaf_at_rho_is_the_same_search_to_the_bit(state):
    joint, apart = (MCPS(simulations=1500, rho=20, ref_amaf=ref).search(state, 4) for ref in (0, 19))
    columns = ["parent", "node", "action", "visits", "value", "frozen"]
    assert joint.tree()[columns].equals(apart.tree()[columns])
    assert apart.tree().frozen.any()


def test_statistics_that_share_a_row_are_not_told_apart():
    tree = MCPS(simulations=400, rho=10).search(START, 4).tree()
    shared = ["amaf_visits", "amaf_value", "permutation_visits", "permutation_value"]
    assert tree[tree.frozen][shared].isna().all().all()
    assert tree[~tree.frozen].amaf_visits.notna().all()


def test_a_tree_can_be_read_until_its_player_searches_again():
    player = UCT(simulations=50).player(START.game)
    first = player.search(START)
    assert len(first.tree(depth=1)) == 9
    second = player.search(START.after([4]))
    assert len(second.tree(depth=1)) == 8
    for read in first.tree, first.principal_variation:
        with pytest.raises(InputError, match="the player has searched again"):
            read()
    results = [UCT(simulations=50).search(START.after(line)) for line in ([], [4])]
    assert [len(result.tree(depth=1)) for result in results] == [9, 8]


def test_a_tree_is_that_of_the_position_searched_though_the_state_is_changed_later():
    state = START.clone()
    result = UCT(simulations=100).search(state)
    state.apply_action(4)
    assert "b2" in result.tree(depth=1).name.tolist()


def test_a_search_without_a_tree_says_so():
    for result in SearchResult(0), UCT().search(START.after([0, 3, 1, 4, 2])):
        for read in result.tree, result.principal_variation:
            with pytest.raises(InputError, match="this search has no tree to show; allowed: .* uct, rave, grave, mcps"):
                read()


def test_the_principal_variation_begins_with_the_action_and_is_legal(searcher):
    result = searcher.search(START, seed=6)
    line = result.principal_variation()
    assert line[0] == result.action
    assert START.after(line)
    assert len(line) == 1 if searcher.name == "flat" else len(line) >= 3


def test_the_principal_variation_of_a_solved_game_wins():
    state = Nim(heap=7, take=3).new_initial_state()
    result = UCT(simulations=2000, solver=True).search(state)
    assert result.end == "solved"
    assert state.after(result.principal_variation()[:1]).position.heap == 4


# Drawings.

def rows(*edges):
    """A result whose tree has these edges: (parent, node, player, name, actions, visits, value)."""
    columns = ["parent", "node", "player", "name", "actions", "visits", "value"]
    table = pd.DataFrame(edges, columns=columns)
    return SimpleNamespace(simulations=100, tree=lambda depth, visits, children: table)


SMALL = rows((0, 1, 0, "a", 5, 60, 0.75), (0, 2, 0, "<b> & co", 5, 40, 0.5), (1, 3, 1, "c", 2, 30, 0.1),
             (1, 4, 1, "d", 2, 29, 1.0), (2, 3, 1, "e", 1, 39, 0.25), (3, 0, 0, "back", 1, 20, 0.5))


def test_values_are_those_of_the_player_at_the_root():
    lines, player = search_tree.read_lines(SMALL, None, 3, 1)
    values = {line.name: line.value for line in lines}
    assert player == 0
    assert [values[name] for name in "acde"] == [0.75, 0.9, 0.0, 0.75]


def test_what_is_left_out_is_counted_and_nodes_are_drawn_once():
    lines, _ = search_tree.read_lines(SMALL, None, 3, 1)
    assert [(line.depth, line.name or line.more) for line in lines] == [
        (1, "a"), (2, "c"), (3, "back"), (2, "d"), (1, "<b> & co"), (2, "e"), (1, 3)]
    assert [line.name for line in lines if line.again] == ["back", "e"]


def test_the_text_has_a_line_for_each_edge():
    assert search_tree.text(SMALL).splitlines()[1:] == [
        "a               60  0.75", "  c             30  0.90", "    back        20  0.50 (see the other)",
        "  d             29  0.00", "<b> & co        40  0.50", "  e             39  0.75 (see the other)", "+3 more"]


@pytest.mark.parametrize("result", [SMALL, MCPS(simulations=600, rho=10).search(START, 3)], ids=["hand-made", "searched"])
def test_the_svg_has_a_node_and_an_edge_for_each_line(result):
    lines, _ = search_tree.read_lines(result, 3, 3, 1)
    tree = ET.fromstring(search_tree.svg(result))
    tags = [element.tag.split("}")[1] for element in tree.iter()]
    edges = sum(not line.more for line in lines)
    assert tags.count("circle") == edges + 1 + 5        # the root and the legend
    assert tags.count("path") == len(lines)
    left_out = [line.more for line in lines if line.more]
    shown = [element.text for element in tree.iter() if element.text and element.text.startswith("+")]
    assert shown == [f"+{n} more" for n in left_out]


def test_labels_of_lines_do_not_overlap():
    lines, _ = search_tree.read_lines(UCT(simulations=900).search(START, 3), 3, 4, 1)
    places, height = search_tree.places(lines, 150)
    assert len(set(places)) == len(places)
    for column in {x for x, _ in places}:
        heights = sorted(y for x, y in places if x == column)
        assert min(np.diff(heights)) >= search_tree.MORE_ROW
    assert max(y for _, y in places) < height


def test_more_visits_are_a_wider_edge_and_a_larger_node():
    widths = [float(path.get("stroke-width")) for path in ET.fromstring(search_tree.svg(SMALL)).iter() if
              path.get("stroke-width")]
    visits = [line.visits for line in search_tree.read_lines(SMALL, None, 3, 1)[0] if not line.more]
    assert np.argsort(widths).tolist() == np.argsort(visits).tolist()
    assert search_tree.radius(0.9) > search_tree.radius(0.1) > 0


def test_colours_go_from_orange_over_white_to_blue():
    assert [search_tree.colour(value) for value in (0, 0.5, 1, float("nan"))] == ["#d55e00", "#fafafa", "#0072b2", "#fff"]
    blues = [int(search_tree.colour(value)[1:3], 16) for value in (0.5, 0.6, 0.8, 1)]
    assert blues == sorted(blues, reverse=True)


def test_long_names_are_cut_in_the_svg():
    name = "exchange 1 gold and 2 spice for 3 camels"
    drawn = search_tree.svg(rows((0, -1, 0, name, 1, 100, 0.5)))
    bold = next(element.text for element in ET.fromstring(drawn).iter() if element.get("font-weight"))
    assert bold == "exchange 1 gold and 2 spice f\u2026" and len(bold) == search_tree.LONGEST
    assert f"<title>{name}</title>" in drawn


def test_a_tree_without_edges_of_so_many_visits_is_not_drawn():
    with pytest.raises(InputError, match="no edge at the root has 500 visits; the search had 100 simulations"):
        search_tree.svg(UCT(simulations=100).search(START), visits=500)
