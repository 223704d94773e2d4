"""The figures of others that the notebooks quote."""
from mctslab.study import published

TOTALS = {"DBS_2007": 72_816, "SP-MCTS(1)_2008": 73_998, "SP-MCTS(2)": 76_352, "MC-RWS_2009": 76_764,
          "NMCS_level3_memory_2009": 77_934, "SP-MCTS(3)_2012": 78_012, "spurious_ai": 84_414,
          "HGSTS_2010_unverified": 84_718,
          "NMCS_level2_no_memory": 44_731, "NMCS_level2_memory": 65_937, "NRPA_selective_level4_2016": 80_030,
          "js-games.de_record_2016": 87_858}


def test_the_samegame_columns_add_up_to_their_published_totals():
    table = published("samegame_totals").set_index("position")
    assert list(table.index) == list(range(1, 21)) and table.sum().to_dict() == TOTALS
