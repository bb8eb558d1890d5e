"""Runs the code of a notebook without Jupyter: `python -m tests.examples.notebook FILE` writes its outputs.

Cells run in order in one namespace. What a cell prints and the matplotlib figures that it leaves open are
its outputs, in the notebook format. Magic commands and rich display of values are not supported.
"""

from __future__ import annotations

import base64
import io
import json
import os
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

Output = dict[str, Any]


def run_notebook(path: Path, namespace: dict[str, Any] | None = None) -> list[list[Output]]:
    """Run all code cells from the notebook's folder; return the outputs of each."""
    found = []
    names = {"__name__": "__main__"} if namespace is None else namespace
    before = Path.cwd()
    os.chdir(path.parent)
    try:
        for number, cell in enumerate(code_cells(json.loads(path.read_text("utf-8")))):
            printed = io.StringIO()
            with redirect_stdout(printed):
                exec(compile("".join(cell["source"]), f"{path.name}, cell {number}", "exec"), names)
            text = printed.getvalue().splitlines(keepends=True)
            stream = [{"name": "stdout", "output_type": "stream", "text": text}] if text else []
            found.append([*stream, *_figures()])
    finally:
        os.chdir(before)
    return found


def code_cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the code cells of a notebook, in order."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def texts(outputs: list[Output]) -> list[str]:
    """Return what was printed, without pictures."""
    return ["".join(one["text"]) for one in outputs if one["output_type"] == "stream"]


def _figures() -> list[Output]:
    """Return the open figures as pictures, and close them."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is None:
        return []
    found: list[Output] = []
    for number in pyplot.get_fignums():
        picture = io.BytesIO()
        pyplot.figure(number).savefig(picture, format="png", dpi=80)
        data = {"image/png": base64.b64encode(picture.getvalue()).decode(), "text/plain": ["<Figure>"]}
        found.append({"data": data, "metadata": {}, "output_type": "display_data"})
    pyplot.close("all")
    return found


def main(path: Path) -> None:
    """Run a notebook and write its outputs into it."""
    outputs = run_notebook(path)
    notebook = json.loads(path.read_text("utf-8"))
    for number, cell in enumerate(code_cells(notebook)):
        cell["outputs"], cell["execution_count"] = outputs[number], number + 1
    path.write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    os.environ["MPLBACKEND"] = "Agg"
    main(Path(sys.argv[1]).resolve())
