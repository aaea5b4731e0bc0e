"""Every notebook runs from its first cell to its last, and is stored without outputs."""

from __future__ import annotations

from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
MAX_CPU_SECONDS = 30
PLOTS = {"analyse": 3, "leduc": 2, "ratings": 2, "features": 1}
MEASURE = "import time; print(time.process_time())"

each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def test_there_is_a_notebook_for_each_purpose() -> None:
    assert {path.stem for path in NOTEBOOKS} == set(PLOTS)


@each_notebook
def test_the_notebook_is_stored_without_outputs(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert not [cell for cell in code if cell.outputs or cell.execution_count]


@pytest.mark.slow
@pytest.mark.timeout(600)
@each_notebook
def test_the_notebook_runs_and_draws(path: Path, tmp_path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell(MEASURE))
    client = nbclient.NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": tmp_path}}
    )
    client.execute()
    *cells, last = [cell for cell in notebook.cells if cell.cell_type == "code"]
    outputs = [output for cell in cells for output in cell.outputs]
    pictures = [each for each in outputs if "image/png" in each.get("data", {})]
    assert len(pictures) == PLOTS[path.stem]
    assert float(last.outputs[0].text) < MAX_CPU_SECONDS
