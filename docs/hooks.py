"""MkDocs hooks: build the site from pages that are written for GitHub.

The pages link to files outside docs/. Each linked file is added to the site, with the README as the
start page, and the links are rewritten. mkdocstrings' `::: name` is in a comment, so that GitHub
does not show it.
"""

import posixpath
import re
from pathlib import Path

from mkdocs.structure.files import File

LINK = re.compile(r"(?<=\]\()(?!https?:|mailto:|#)([^)\s#]+)")


def on_files(files, config):
    root = Path(config.config_file_path).parent
    known = {"README.md", *(f"docs/{file.src_uri}" for file in files)}
    queue = sorted(known)
    while queue:
        path = queue.pop()
        if not path.startswith("docs/"):
            files.append(File.generated(config, _on_site(path), abs_src_path=str(root / path)))
        if path.endswith(".md"):
            text = (root / path).read_text("utf-8")
            linked = {_target(path, link) for link in LINK.findall(text)} - known
            queue += sorted(path for path in linked if (root / path).is_file())
            known |= linked
    return files


def on_page_markdown(markdown, page, config, files):
    root = Path(config.config_file_path).parent
    path = Path(page.file.abs_src_path).relative_to(root).as_posix()
    start = posixpath.dirname(page.file.src_uri)

    def rewritten(match):
        return posixpath.relpath(_on_site(_target(path, match[0])), start or ".")

    markdown = LINK.sub(rewritten, markdown)
    return re.sub(r"<!--\s(:::.*?)\s-->", r"\1", markdown, flags=re.S)


def _target(path, link):
    """The repository path that a link on a page points to."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), link))


def _on_site(path):
    """The path of a repository file on the site, as MkDocs names sources."""
    return "index.md" if path == "README.md" else path.removeprefix("docs/")
