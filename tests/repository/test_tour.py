"""The notebook runs in a fresh kernel and gives its committed outputs.

To run it again and save its outputs: python tests/repository/test_tour.py
"""

import os
import re
import sys
from pathlib import Path

import pytest

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
ROOT = Path(__file__).parents[2]  # not `shared`: as a script, this file does not find it
NOTEBOOK = ROOT / "examples" / "tour.ipynb"
LANGUAGE = {"language_info": {"name": "python"}}


def run():
    """Run the notebook, and keep of its outputs what is the same on every machine."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    client = nbclient.NotebookClient(
        notebook,
        timeout=120,
        resources={"metadata": {"path": str(NOTEBOOK.parent)}},
        record_timing=False,
        kernel_name="python3",
        coalesce_streams=True,  # a command's output comes in pieces
    )
    # As in an activated environment: the notebook calls a command.
    scripts = Path(sys.executable).parent
    client.execute(env=os.environ | {"PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"})
    for cell in notebook.cells:
        if cell.cell_type == "code":
            # The warnings of packages contain paths.
            cell.outputs = [out for out in cell.outputs if out.get("name") != "stderr"]
            for output in cell.outputs:
                if "text" in output:  # a command's lines end as on a terminal
                    output.text = output.text.replace("\r\n", "\n")
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
    notebook = run()
    found = shown(notebook)
    assert found == shown(nbformat.read(NOTEBOOK, as_version=4))
    kinds = [kind for output in found for kind in output["kinds"]]
    assert kinds.count("image/png") == 1
    assert any(output["html"] for output in found)
    silent = [cell for cell in notebook.cells if cell.cell_type == "code" and not cell.outputs]
    assert not silent  # every cell has something to show


def test_the_tour_names_no_path_of_the_machine_it_ran_on():
    text = NOTEBOOK.read_text("utf-8")
    assert "site-packages" not in text
    assert str(ROOT) not in text
    assert not re.search(r"/tmp/|/home/|ipykernel_", text)


def test_the_tour_is_small_enough_to_be_shown_online():
    assert NOTEBOOK.stat().st_size <= 300_000


def test_the_tours_links_lead_somewhere():
    cells = nbformat.read(NOTEBOOK, as_version=4).cells
    prose = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    links = re.findall(r"\]\((?!https?:)(.+?)(?:#(.+?))?\)", prose)
    assert len(links) >= 8
    for name, anchor in links:
        page = (NOTEBOOK.parent / name).read_text("utf-8")
        headings = re.findall(r"^#+ (.*)$", page, flags=re.M)
        assert not anchor or anchor in {title.lower().replace(" ", "-") for title in headings}


if __name__ == "__main__":
    nbformat.write(run(), NOTEBOOK)
