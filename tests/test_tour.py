"""The notebook runs from a clean kernel and prints what its committed outputs say."""

import pytest
from conftest import ROOT

nbclient = pytest.importorskip("nbclient")
NOTEBOOK = ROOT / "examples" / "tour.ipynb"


def texts(notebook):
    """What each cell of code prints and shows: text, and which other forms there are."""
    return [
        [
            (output.get("text") or output["data"]["text/plain"], sorted(output.get("data", ())))
            for output in cell.outputs
            if output.get("name") != "stderr"  # packages warn of what else could be installed
        ]
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


def test_the_tour(tmp_path, monkeypatch):
    import nbformat

    monkeypatch.setenv("HF_HOME", str(tmp_path))
    committed = nbformat.read(NOTEBOOK, as_version=4)
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    nbclient.NotebookClient(
        notebook, timeout=120, resources={"metadata": {"path": str(NOTEBOOK.parent)}}
    ).execute()
    assert texts(notebook) == texts(committed)
    shown = [kind for cell in texts(notebook) for _, kinds in cell for kind in kinds]
    assert shown.count("image/png") == 2
    assert "text/html" in shown
    assert str(ROOT) not in NOTEBOOK.read_text("utf-8")
