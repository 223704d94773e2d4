"""Rows on disk: nothing torn, nothing twice, nothing turned into a float."""
import os

import pyarrow.parquet as pq
import pytest

from mctslab.store import SCHEMA, Store


def row(pair, **values):
    key = dict(study="s", cell="c", pair=pair, seat=0, seed=2**62 - 1 - pair)
    return key | dict(game="left_move", a="nested", extra="{}") | values


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "laptop", "s")


def test_an_empty_store_has_the_columns_of_the_schema(store):
    assert list(store.read()) == SCHEMA.names and len(store.read()) == 0


def test_a_seed_of_62_bits_and_columns_without_values_survive(store):
    store.append([row(0), row(1)])
    store.compact({})
    frame = store.read()
    assert frame["seed"].tolist() == [2**62 - 1, 2**62 - 2]
    assert frame["b"].isna().all() and pq.read_schema(store.file).equals(SCHEMA)


def test_a_row_written_twice_is_read_once_and_the_newest_counts(store):
    store.append([row(0, score=1.0), row(1, score=1.0)])
    store.append([row(0, score=2.0)])
    assert store.read()["score"].tolist() == [2.0, 1.0]
    store.compact({})
    store.append([row(1, score=3.0)])
    store.compact({})
    assert pq.read_table(store.file)["score"].to_pylist() == [2.0, 3.0]


def test_rows_come_sorted_by_their_key_whatever_their_order(store):
    store.append([row(2)])
    store.append([row(0), row(1)])
    assert store.read()["pair"].tolist() == [0, 1, 2]


def test_compaction_leaves_one_file_and_the_same_rows_give_the_same_bytes(store, tmp_path):
    other = Store(tmp_path / "other", "s")
    for part in ([row(0)], [row(1)]):
        store.append(part)
    other.append([row(1), row(0)])
    for s in (store, other):
        s.compact({"profile": "laptop"})
    assert not store.parts.exists()
    assert store.file.read_bytes() == other.file.read_bytes()


def test_floats_are_rounded_to_six_digits(store):
    store.append([row(0, a_seconds=0.12345678)])
    assert store.read()["a_seconds"].tolist() == [0.123457]


def test_a_full_disk_loses_nothing_that_was_written(store, monkeypatch):
    store.append([row(0)])

    def full(table, path, **_):
        path.write_bytes(b"torn")
        raise OSError(28, "No space left on device")
    monkeypatch.setattr("mctslab.store.pq.write_table", full)
    for write in (lambda: store.append([row(1)]), lambda: store.compact({})):
        with pytest.raises(OSError, match="No space"):
            write()
    monkeypatch.undo()
    assert store.read()["pair"].tolist() == [0]
    assert [p.suffix for p in store.parts.iterdir()] == [".parquet"]


def test_a_temporary_file_of_a_killed_writer_is_not_read(store):
    store.append([row(0)])
    (store.parts / f".half.parquet.{os.getpid()}").write_bytes(b"half a file")
    assert len(store.read()) == 1
