"""The notebook runs from a clean kernel and shows what its committed outputs say.

To run it anew and keep its outputs: python tests/test_tour.py
"""

import pytest
from conftest import ROOT

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
NOTEBOOK = ROOT / "examples" / "tour.ipynb"
LANGUAGE = {"language_info": {"name": "python"}}


def run():
    """The notebook with new outputs, but for what packages warn of, which names this machine."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    folder = {"metadata": {"path": str(NOTEBOOK.parent)}}
    client = nbclient.NotebookClient(
        notebook, timeout=120, resources=folder, record_timing=False, kernel_name="python3"
    )
    client.execute()
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [out for out in cell.outputs if out.get("name") != "stderr"]
    notebook.metadata.update(LANGUAGE)
    return notebook


def shown(notebook):
    """What each cell of code prints and shows; pictures differ from machine to machine."""
    found = []
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            html = data.get("text/html", "")
            found.append(
                {
                    "text": output.get("text") or data["text/plain"],
                    "html": html if "green-chip" in html else "",  # not those of pandas
                    "kinds": sorted(data),
                }
            )
    return found


def test_the_tour(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    found = shown(run())
    assert found == shown(nbformat.read(NOTEBOOK, as_version=4))
    kinds = [kind for output in found for kind in output["kinds"]]
    assert kinds.count("image/png") == 2
    assert any(output["html"] for output in found)


def test_the_tour_says_nothing_of_where_it_ran():
    text = NOTEBOOK.read_text("utf-8")
    assert "site-packages" not in text
    assert str(ROOT) not in text


if __name__ == "__main__":
    nbformat.write(run(), NOTEBOOK)
