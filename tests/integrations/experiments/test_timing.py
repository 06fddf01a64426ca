"""Times of Table 3."""

from experiments import corpora, timing


def test_times(small_data, monkeypatch):
    monkeypatch.setattr(timing, "N_RUNS", 1)
    rows = {row.metric: row for row in timing.times(corpora.read_conll14(small_data))}
    assert list(rows) == ["wordGLEU", "charGLEU", "wordGREEN", "charGREEN", "M²", "I-measure"]
    for name, row in rows.items():
        assert len(row.in_python) == 2
        assert len(row.command) == (0 if name == "I-measure" else 2)
        assert min(*row.in_python, *row.command) > 0


def test_the_slow_sentence(small_data):
    conll = corpora.read_conll14(small_data)
    lengths = [len(text.split()) for text in conll.sources]
    changed = [
        index
        for index, pair in enumerate(
            zip(timing.slow_texts(conll), conll.systems["AMU"], strict=True)
        )
        if pair[0] != pair[1]
    ]
    (index,) = changed
    assert lengths[index] == max(lengths)
    words = timing.slow_texts(conll)[index].split()
    assert len(words) == max(lengths)
    assert not set(words) & set(conll.sources[index].split())
