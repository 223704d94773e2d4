"""Rows on disk: one row per game, written so that a killed run loses nothing that it had finished and doubles nothing.

Rows arrive in parts, each a parquet file written under a temporary name and renamed. A row is known by its key; reading
unites parts and the compacted file and keeps one row per key, so gaps are filled and nothing is counted twice. When a run
ends, the parts are merged into ``<study>.parquet`` under a lock.
"""
import json
import os
import uuid
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from filelock import FileLock

from .core import InputError

KEY = ["cell", "pair", "seat", "seed"]
DIGITS = 6      # statistics are rounded before they are stored: the last bits differ between CPUs

# Explicit, since a column of missing values would otherwise turn 62-bit seeds into floats.
SCHEMA = pa.schema([
    ("study", pa.string()), ("cell", pa.string()), ("pair", pa.int32()), ("seat", pa.int8()), ("seed", pa.int64()),
    ("game", pa.string()), ("game_version", pa.int16()),
    ("a", pa.string()), ("b", pa.string()), ("a_version", pa.int16()), ("b_version", pa.int16()),
    ("payoff_a", pa.float64()), ("score", pa.float64()), ("plies", pa.int32()), ("end", pa.string()),
    ("a_simulations", pa.int64()), ("b_simulations", pa.int64()),
    ("a_playout_plies", pa.int64()), ("b_playout_plies", pa.int64()),
    ("a_depth", pa.float64()), ("b_depth", pa.float64()),
    ("a_terminal_share", pa.float64()), ("b_terminal_share", pa.float64()),
    ("a_seconds", pa.float64()), ("b_seconds", pa.float64()),
    ("host", pa.string()), ("extra", pa.string()),
])
FLOATS = [name for name in SCHEMA.names if SCHEMA.field(name).type == pa.float64()]


def to_table(rows):
    """An arrow table of rows (dicts; what a row lacks is null) with the schema above, floats rounded."""
    table = pa.Table.from_pylist(rows, schema=SCHEMA)
    frame = table.to_pandas(types_mapper=pd.ArrowDtype)
    frame[FLOATS] = frame[FLOATS].round(DIGITS)
    return pa.Table.from_pandas(frame, schema=SCHEMA, preserve_index=False)


class Store:
    """The rows of one study and profile.

    Parameters
    ----------
    folder : path
        Where ``<study>.parquet``, ``<study>.json`` and the parts lie; made when a row is written.
    study : str
    """

    def __init__(self, folder, study):
        self.folder, self.study = Path(folder), study
        self.file = self.folder / f"{study}.parquet"
        self.about = self.folder / f"{study}.json"
        self.parts = self.folder / f"{study}.parts"

    def read(self):
        """All rows, one per key (the newest, should a key have more), sorted by key.

        Returns
        -------
        pandas.DataFrame
            The columns of `SCHEMA`, missing values as NA.
        """
        while True:
            try:
                parts = sorted(self.parts.glob("*.parquet"), key=lambda part: part.stat().st_mtime_ns)
                tables = [self._read(file) for file in [self.file] * self.file.exists() + parts]
                break
            except FileNotFoundError:       # another process has just merged a part
                continue
        frame = pa.concat_tables(tables or [SCHEMA.empty_table()]).to_pandas(types_mapper=pd.ArrowDtype)
        return frame.drop_duplicates(KEY, keep="last").sort_values(KEY, ignore_index=True)

    def append(self, rows):
        """Write rows as one part: all of them or, if the disk is full, none."""
        if rows:
            self.parts.mkdir(parents=True, exist_ok=True)
            self._write(to_table(rows), self.parts / f"{uuid.uuid4().hex}.parquet")

    def compact(self, about):
        """Merge the parts into the file of the study and write `about` beside it; parts that arrive meanwhile stay."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with FileLock(str(self.folder / f".{self.study}.lock")):
            merged = sorted(self.parts.glob("*.parquet"))
            if merged:
                frame = self.read()
                self._write(pa.Table.from_pandas(frame, schema=SCHEMA, preserve_index=False), self.file)
                for part in merged:
                    part.unlink()
            if self.parts.exists() and not any(self.parts.iterdir()):
                self.parts.rmdir()
            text = json.dumps(about, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
            if not self.about.exists() or self.about.read_text() != text:
                self.about.write_text(text)

    def clear(self):
        """Delete all rows."""
        for file in [*self.parts.glob("*"), self.file, self.about]:
            file.unlink(missing_ok=True)
        if self.parts.exists():
            self.parts.rmdir()

    @staticmethod
    def _read(path):
        try:
            return pq.read_table(path, schema=SCHEMA)
        except pa.ArrowInvalid as error:
            raise InputError(f"{path} is no file of rows ({error}); restore or delete it") from None

    @staticmethod
    def _write(table, path):
        temporary = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            pq.write_table(table, temporary, compression="zstd")
            os.replace(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)
