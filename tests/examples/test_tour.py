"""The notebook runs in a fresh kernel and gives its committed outputs.

To run it again and save its outputs: python tests/test_tour.py
"""

import pytest
from shared import EXAMPLES, ROOT

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
NOTEBOOK = EXAMPLES / "tour.ipynb"
LANGUAGE = {"language_info": {"name": "python"}}


def run():
    """Run the notebook; drop the warnings of packages, which contain paths of this machine."""
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
    """The outputs of all code cells, without pictures, which differ between machines."""
    found = []
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            html = data.get("text/html", "")
            found.append(
                {
                    "text": output.get("text") or data["text/plain"],
                    "html": html if "green-chip" in html else "",  # not that of pandas
                    "kinds": sorted(data),
                }
            )
    return found


def test_the_tour_gives_its_committed_outputs(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    found = shown(run())
    assert found == shown(nbformat.read(NOTEBOOK, as_version=4))
    kinds = [kind for output in found for kind in output["kinds"]]
    assert kinds.count("image/png") == 2
    assert any(output["html"] for output in found)


def test_the_tour_names_no_path_of_the_machine_it_ran_on():
    text = NOTEBOOK.read_text("utf-8")
    assert "site-packages" not in text
    assert str(ROOT) not in text


if __name__ == "__main__":
    nbformat.write(run(), NOTEBOOK)
