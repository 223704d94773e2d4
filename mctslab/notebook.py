"""Notebooks: strict execution through papermill, one canonical form on disk, and the footer that says what was executed.

papermill alone ends well although a parameter is unknown or of another type than its default, the parameters cell has lost
its tag, or the kernel left early. So names and types are checked first, the notebook runs into a file aside, and it takes
its place only when every cell has run in order up to the last.
"""
import ast
import hashlib
import json
import os
import platform
from importlib.metadata import version
from pathlib import Path

import nbformat
import pandas as pd
import papermill
from IPython.display import Markdown
from papermill.exceptions import PapermillExecutionError

from .core import InputError, one_of
from .status import read_page

PACKAGES = ("numba", "numpy", "scipy", "pandas", "matplotlib", "seaborn", "statsmodels", "papermill")


class ExecutionError(RuntimeError):
    """A notebook did not run to its end; the message names the cell, the error and the file kept."""


def read_parameters(path):
    """Names and defaults in the cell tagged ``parameters``.

    Raises
    ------
    InputError
        If there is not exactly one such cell, or a default is no literal.
    """
    cells = [cell for cell in read_page(Path(path)) if "parameters" in cell.metadata.get("tags", [])]
    if len(cells) != 1:
        raise InputError(f"{Path(path).name} has {len(cells)} cells with the tag 'parameters'; it must have one")
    try:
        lines, found = ast.parse(cells[0].source).body, {}
    except SyntaxError as error:
        raise InputError(f"{Path(path).name}: line {error.lineno} of the parameters cell is no Python") from None
    for node in lines:
        target = getattr(node, "target", None) or getattr(node, "targets", [None])[0]
        if not isinstance(target, ast.Name):
            raise InputError(f"{Path(path).name}: the parameters cell has a line that is not name = value")
        try:
            found[target.id] = ast.literal_eval(node.value)
        except ValueError:
            raise InputError(f"{Path(path).name}: parameter {target.id} has a default that is no literal") from None
    return found


def check_parameters(path, given):
    """The given parameters that differ from a notebook's defaults.

    Raises
    ------
    InputError
        For a name that the notebook has not, or a value of another type than its default.
    """
    defaults = read_parameters(path)
    for name, value in given.items():
        if name not in defaults:
            raise InputError(f"{Path(path).name} has no parameter {name!r}; its parameters are: {one_of(defaults)}")
        kind = type(defaults[name])
        if type(value) is not kind and not (kind is float and type(value) is int):
            raise InputError(f"parameter {name} of {Path(path).name} is {value!r}; it must be of type {kind.__name__}")
    return {name: value for name, value in given.items() if value != defaults[name]}


def execute(source, target, parameters, environment=()):
    """Run a notebook and put the executed, canonical copy in its place.

    Parameters
    ----------
    source, target : path
        The notebook, and where the executed one goes; they may be one file.
    parameters : dict
        Values that override the parameters cell.
    environment : mapping of str to str
        Environment variables of the kernel.

    Raises
    ------
    InputError
        For parameters that do not fit.
    ExecutionError
        If a cell failed or was not reached. The target is then as it was; what was executed is kept beside it as
        ``NAME.failed.ipynb``.
    """
    source, target = Path(source).resolve(), Path(target).resolve()
    changed = check_parameters(source, parameters)
    target.parent.mkdir(parents=True, exist_ok=True)
    for old in target.parent.glob(f".{target.stem}.*.ipynb"):       # of processes that were killed
        if not is_running(int(old.name.split(".")[-2])):
            old.unlink(missing_ok=True)
    running = target.with_name(f".{target.stem}.{os.getpid()}.ipynb")
    failed = target.with_name(f"{target.stem}.failed.ipynb")
    failed.unlink(missing_ok=True)
    saved = {name: os.environ.get(name) for name in dict(environment)}
    os.environ.update(environment)
    try:
        papermill.execute_notebook(source, running, changed, cwd=source.parent, kernel_name="python3", language="python",
                                   progress_bar=False, extra_arguments=["--log-level=50"])
        complaint = find_gap(nbformat.read(running, 4))
    except PapermillExecutionError as error:
        complaint = f"cell {error.exec_count}: {error.ename}: {error.evalue}"
    except KeyboardInterrupt:
        running.unlink(missing_ok=True)
        raise
    except Exception as error:          # a dead kernel, a broken file: whatever nbclient has for it
        complaint = f"{type(error).__name__}: {error}"
    finally:
        for name, value in saved.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})
    if complaint:
        if running.exists():
            os.replace(running, failed)
        raise ExecutionError(f"{source.name} did not run to its end: {complaint.splitlines()[0]} (kept as {failed})")
    nbformat.write(canonical(nbformat.read(running, 4)), running)
    os.replace(running, target)


def is_running(process):
    try:
        os.kill(process, 0)
    except OSError as error:
        return isinstance(error, PermissionError)
    return True


def find_gap(notebook):
    """The first code cell that has not run in its order or has failed, in words; None where all is well."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip()]
    counts = [cell.execution_count for cell in code]
    if counts != list(range(1, len(code) + 1)):
        first = next(i for i, count in enumerate(counts) if count != i + 1)
        return f"code cell {first + 1} was not reached in order ({code[first].source.splitlines()[0]!r})"
    if any(output.output_type == "error" for cell in code for output in cell.outputs):
        return "a cell has an error among its outputs"
    if not code or not code[-1].outputs:
        return "the last cell gave no output: did the kernel leave early?"
    return None


def canonical(notebook):
    """The notebook less all that differs between two executions: papermill's and kernel metadata, times, random cell ids."""
    notebook.metadata = nbformat.from_dict({
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"}})
    notebook.nbformat_minor = 5
    for i, cell in enumerate(notebook.cells):
        tags = cell.metadata.get("tags", [])
        cell.metadata = nbformat.from_dict({"tags": tags} if tags else {})
        cell.id = f"cell-{i:02d}"
    return notebook


def footer(rows, **parameters):
    """The last output of every notebook: versions, parameters, and digests of the rows and of the package's sources.

    Returns
    -------
    IPython.display.Markdown
    """
    digest = hashlib.sha256(pd.util.hash_pandas_object(rows.drop(columns="extra"), index=False).to_numpy().tobytes())
    digest.update(json.dumps(rows["extra"].tolist(), sort_keys=True).encode())
    sources = hashlib.sha256(b"".join(p.read_bytes() for p in sorted(Path(__file__).parent.rglob("*.py"))))
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    values = ", ".join(f"{name} = {value!r}" for name, value in parameters.items())
    return Markdown(f"---\n**Executed with** Python {platform.python_version()}, {versions}. **Parameters**: {values}. "
                    f"**Rows**: {len(rows):,}, digest `{digest.hexdigest()[:12]}`. "
                    f"**Sources**: digest `{sources.hexdigest()[:12]}`.")
