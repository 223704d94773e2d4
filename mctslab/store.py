"""Rows on disk: one row per game, written so that a killed run loses nothing that it had finished and doubles nothing.

Rows arrive in parts, each a parquet file written under a temporary name and renamed. A row is known by its key; reading
unites parts and the compacted file and keeps one row per key, so gaps are filled and nothing is counted twice. When a run
ends, the parts are merged into ``<study>.parquet`` under a lock.
"""
import json
import os
import time
import uuid
from contextlib import suppress
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from filelock import FileLock

from .core import InputError

KEY = ["cell", "pair", "seat", "seed"]
ABANDONED = 3600    # seconds after which a temporary file is one that a killed process has left
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
            self._write_table(to_table(rows), self.parts / f"{uuid.uuid4().hex}.parquet")

    def compact(self, about):
        """Merge the parts into the file of the study and write `about` beside it; parts that arrive meanwhile stay."""
        with self._lock():
            merged = sorted(self.parts.glob("*.parquet"))
            if merged:
                self._write_table(pa.Table.from_pandas(self.read(), schema=SCHEMA, preserve_index=False), self.file)
                for part in merged:
                    part.unlink(missing_ok=True)
            for file in self.parts.glob(".*"):
                with suppress(FileNotFoundError):       # its writer may just have finished
                    if time.time() - file.stat().st_mtime > ABANDONED:
                        file.unlink()
            with suppress(OSError):         # it has parts, or is not there
                self.parts.rmdir()
            self._write_about(about)

    def facts(self):
        """What stands beside the rows."""
        if not self.about.exists():
            return {}
        try:
            about = json.loads(self.about.read_text())
        except ValueError:
            about = None
        if not isinstance(about, dict) or not all(isinstance(about.get(key, {}), dict) for key in ("hosts", "page")):
            raise InputError(f"{self.about} is not what stands beside rows; restore or delete it")
        return about

    def note(self, **facts):
        """Change what stands beside the rows; `hosts` are added to those that are there."""
        with self._lock():
            about = self.facts()
            self._write_about(about | facts | {"hosts": about.get("hosts", {}) | facts.get("hosts", {})})

    def clear(self):
        """Delete all rows."""
        with self._lock():
            for file in [*self.parts.glob("*"), self.file, self.about]:
                file.unlink(missing_ok=True)
            with suppress(OSError):
                self.parts.rmdir()

    def _lock(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        return FileLock(str(self.folder / f".{self.study}.lock"))

    def _write_table(self, table, path):
        self._write(lambda file: pq.write_table(table, file, compression="zstd"), path)

    def _write_about(self, about):
        text = json.dumps(about, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
        if not self.about.exists() or self.about.read_text() != text:
            self._write(lambda file: file.write_text(text), self.about)

    @staticmethod
    def _read(path):
        try:
            if not set(KEY) <= set(pq.read_schema(path).names):
                raise pa.ArrowInvalid(f"it lacks the columns {', '.join(KEY)}")
            return pq.read_table(path, schema=SCHEMA)
        except pa.ArrowInvalid as error:
            raise InputError(f"{path} is no file of rows ({error}); restore or delete it") from None

    @staticmethod
    def _write(write, path):
        temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
        while True:
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                write(temporary)
                os.replace(temporary, path)
                return
            except FileNotFoundError:       # another process has just deleted the folder, which was empty
                continue
            finally:
                temporary.unlink(missing_ok=True)
