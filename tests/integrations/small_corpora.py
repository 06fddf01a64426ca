"""The corpora of the experiments in small, made of the bundled examples."""

from difflib import SequenceMatcher

from shared import EXAMPLES

from experiments import corpora
from green_gec.corpus import read_lines

TEXTS = {
    name: read_lines(EXAMPLES / f"{name}.txt")
    for name in ("source", "reference0", "reference1", "careful", "bold", "broken")
}
# From best to worst in all three rankings, except that one of them swaps CAMB and IPN.
CONLL_SYSTEMS = {"AMU": "bold", "CAMB": "careful", "INPUT": "source", "IPN": "broken"}
EXPECTED_WINS = [1, (0 + 2 / 3 + 2 / 3) / 3, (0 + 1 / 3 + 2 / 3) / 3, (0 + 1 / 3 + 1 / 3) / 3]
GMEG_HEADER = ",".join(corpora.GMEG_SYSTEMS)
GMEG_REFERENCES = ("ref0", "ref1", "ref2", "ref3")

JUDGMENTS = """<?xml version="1.0"?>
<appraise-results>
  <ranking-item id="0" src-id="1">
    <translation rank="1" system="a b"/>
    <translation rank="2" system="c"/>
    <translation rank="2" system="d"/>
  </ranking-item>
  <ranking-item id="1" src-id="2">
    <translation rank="3" system="a"/>
    <translation rank="1" system="c"/>
  </ranking-item>
</appraise-results>
"""


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    text = content if isinstance(content, str) else "".join(f"{line}\n" for line in content)
    path.write_text(text, "utf-8")
    return path


def write_all(folder):
    """All four corpora, complete."""
    write_conll14(folder / "conll14")
    write_seeda(folder / "seeda")
    for name in corpora.GMEG:
        write_gmeg(folder / name)
    return folder


def mixed(index, start=0, stop=60):
    """The output of a system that is bold, careful or broken, or does nothing, in turns."""
    kinds = ("bold", "careful", "source", "bold", "broken")
    return [TEXTS[kinds[(n * index + n // 7) % 5]][n] for n in range(start, stop)]


def write_conll14(folder):
    references = [TEXTS[name] for name in ("reference0", "reference1")]
    for name in ("source", "reference0", "reference1"):
        write(folder / f"{name}.txt", TEXTS[name])
    for name, example in CONLL_SYSTEMS.items():
        if name != "INPUT":
            write(folder / "systems" / name, TEXTS[example])
            write(folder / "errant" / f"{name}.m2", m2(TEXTS["source"], TEXTS[example]))
    for name in ("official", "errant"):
        write(folder / f"{name}.m2", m2(TEXTS["source"], *references))
    ranks = "".join(
        f'<translation rank="{rank}" system="{name}"/>\n'
        for rank, name in enumerate(CONLL_SYSTEMS, 1)
    )
    swapped = ranks.replace('"CAMB"', '"?"').replace('"IPN"', '"CAMB"').replace('"?"', '"IPN"')
    write(folder / "judgments.xml", rankings([ranks, ranks, swapped], first=0))


def write_seeda(folder):
    for index, name in enumerate(corpora.SEEDA_SYSTEMS):
        texts = TEXTS["source"] if name == "INPUT" else mixed(index)
        write(folder / "systems" / f"{name}.txt", texts)
        write(folder / "errant" / f"{name}.m2", m2(TEXTS["source"], texts))
    ranks = "".join(
        f'<translation rank="{rank}" system="{name}"/>\n'
        for rank, name in enumerate(corpora.SEEDA_SYSTEMS, 1)
    )
    for file, _ in corpora.RANKINGS["seeda"].values():
        write(folder / file, rankings([ranks, ranks], first=1))
    for file in corpora.SEEDA_HUMAN.values():
        write(folder / "human" / file, [f"0.{n}" for n in range(10, 25)])


def rankings(items, first):
    """Judgments of the first sentences, one each."""
    inner = "".join(
        f'<ranking-item src-id="{first + n}">\n{item}</ranking-item>\n'
        for n, item in enumerate(items)
    )
    return f"<appraise-results>\n{inner}</appraise-results>\n"


def write_gmeg(folder):
    names = (*GMEG_REFERENCES, *corpora.GMEG_SYSTEMS)
    for part, start in {"dev": 0, "test": 30}.items():
        for index, name in enumerate(names):
            texts = TEXTS["source"][start : start + 30]
            write(
                folder / part / name, texts if name == "source" else mixed(index, start, start + 30)
            )
        header = f"ref,{GMEG_HEADER}"
        rows = ["90," + ",".join(str((n * i) % 11) for i in range(2, 9)) for n in range(29)]
        file = f"{corpora.GMEG[folder.name].lower()}-segment-scores.csv"
        write(folder / part / file, [header, *rows, "90,1,,2,,3,,4"])
    for index, name in enumerate(names):
        if name in corpora.GMEG_SYSTEMS[:-1]:
            write(folder / "errant" / f"{name}.m2", m2(TEXTS["source"], mixed(index)))
    references = [mixed(index) for index in range(4)]
    write(folder / "errant" / "gold.m2", m2(TEXTS["source"], *references))


def m2(sources, *texts):
    """Edits of the texts of several annotators."""
    lines, rest = [], "REQUIRED|||-NONE-"
    for source, *corrected in zip(sources, *texts, strict=True):
        lines.append(f"S {source}")
        words = source.split()
        for annotator, text in enumerate(corrected):
            changed = text.split()
            found = [
                f"A {start} {stop}|||R|||{' '.join(changed[low:high])}|||{rest}|||{annotator}"
                for kind, start, stop, low, high in SequenceMatcher(
                    None, words, changed, autojunk=False
                ).get_opcodes()
                if kind != "equal"
            ]
            lines += found or [f"A -1 -1|||noop|||-NONE-|||{rest}|||{annotator}"]
        lines.append("")
    return lines
