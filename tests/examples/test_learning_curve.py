"""The notebook runs, prints what is stored in it, and draws the figure of the page."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from .notebook import code_cells, run_notebook, texts

PLACE = Path(__file__).parents[2] / "examples" / "learning_curve.ipynb"
CELLS = code_cells(json.loads(PLACE.read_text("utf-8")))


def test_every_cell_was_run_in_order_and_none_failed() -> None:
    assert [cell["execution_count"] for cell in CELLS] == list(range(1, len(CELLS) + 1))
    kinds = [output["output_type"] for cell in CELLS for output in cell["outputs"]]
    assert kinds == ["stream", "display_data", "stream"]


def test_it_runs_and_gives_what_is_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed (pip install 'qipai[plot]')")
    monkeypatch.setenv("MPLBACKEND", "Agg")
    names: dict[str, Any] = {"__name__": "__main__"}
    outputs = run_notebook(PLACE, names)
    assert [texts(found) for found in outputs] == [texts(cell["outputs"]) for cell in CELLS]
    (picture,) = (one["data"]["image/png"] for found in outputs for one in found if "data" in one)
    assert base64.b64decode(picture)[:4] == b"\x89PNG"
    line, strength = names["left"].lines[0], names["right"].containers[0].lines[0]
    assert line.get_ydata().tolist() == names["entropy"] and len(names["entropy"]) > 30
    assert strength.get_ydata().tolist() == names["chips"] and len(names["chips"]) == 5
    assert abs(names["measured"].mean - names["chips"][-1]) < 0.15


def test_a_cell_that_fails_is_named(tmp_path: Path) -> None:
    path = tmp_path / "broken.ipynb"
    cells = [
        {"cell_type": "code", "source": ["n = 0\n", "print(n)"]},
        {"cell_type": "code", "source": ["1 / n"]},
    ]
    path.write_text(json.dumps({"cells": cells}))
    with pytest.raises(ZeroDivisionError) as caught:
        run_notebook(path)
    assert str(caught.traceback[-1].path) == "broken.ipynb, cell 1"
