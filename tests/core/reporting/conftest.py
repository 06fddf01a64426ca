"""A report of the bundled examples, and a reader of its tables."""

from html.parser import HTMLParser

import pytest
from shared import EXAMPLE_REFERENCES, EXAMPLE_SOURCES, SYSTEMS

from green_gec import report


class Reader(HTMLParser):
    """The tables of a page by their captions: rows of texts, rows of what they are sorted by."""

    def __init__(self, markup):
        super().__init__()
        self.tags, self.tables, self.values, self.ids = [], {}, {}, []
        self._text, self._rows, self._value = "", [], None
        self.feed(markup)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.append((tag, attributes))
        self.ids += [attributes["id"]] if "id" in attributes else []
        if tag == "table":
            self._rows = []
        elif tag == "tr":
            self._rows.append([])
        elif tag in ("td", "th", "caption"):
            self._text, self._value = "", attributes.get("data-value")

    def handle_endtag(self, tag):
        if tag == "caption":
            self._caption = self._text
        elif tag in ("td", "th"):
            self._rows[-1].append((self._text, self._value))
        elif tag == "table":
            self.tables[self._caption] = [[text for text, _ in row] for row in self._rows]
            self.values[self._caption] = [[value for _, value in row] for row in self._rows]

    def handle_data(self, data):
        self._text += data


@pytest.fixture(scope="session")
def page():
    return report(SYSTEMS, EXAMPLE_SOURCES, EXAMPLE_REFERENCES)


@pytest.fixture
def read():
    return Reader
