"""Scores of edits on the command line: one table, error types, names, and what is refused."""

import csv
import io
import json
import re

import pytest
from shared import EXAMPLES

from green_gec import compare, error_types
from green_gec.cli.scoring import short_names
from green_gec.corpus import read_edits, read_lines

NAMES = ("careful", "bold", "broken")
SYSTEMS = {f"{name}.txt": read_lines(EXAMPLES / f"{name}.txt") for name in NAMES}
GOLD = EXAMPLES / "references.m2"
GIVEN = "--m2 references.m2 -c careful.txt bold.txt broken.txt"
METRICS = ["green", "gleu", "m2"]
SEVERAL = f"{GIVEN} -m green gleu m2"


def cells(line):
    return re.split(r" {2,}", line.strip())


def test_one_table_with_a_column_per_score(output):
    table = compare(SYSTEMS, metrics=METRICS, gold=GOLD, n_resamples=0)
    printed = output(f"green {SEVERAL}").splitlines()
    assert cells(printed[0]) == ["system", "GREEN", "GLEU", "M²"]
    rows = zip(NAMES, *(table[name] for name in METRICS), strict=True)
    expected = [[name, *(f"{100 * value:.2f}" for value in values)] for name, *values in rows]
    assert [cells(line) for line in printed[2:]] == expected


@pytest.mark.parametrize("command", ["green", "mgreen"])
def test_intervals_and_tests_of_several_scores_are_those_of_one(output, command):
    sure = "--confidence --paired --resamples 50"
    together = json.loads(output(f"{command} {SEVERAL} {sure} --format json"))
    assert list(together["signatures"]) == list(together["options"]) == METRICS
    for metric in METRICS:
        alone = json.loads(output(f"{command} {GIVEN} -m {metric} {sure} --format json"))
        assert together["signatures"][metric] == alone["signature"]
        assert together["options"][metric] == alone["options"]
        for row, other in zip(together["results"], alone["results"], strict=True):
            for name, value in other.items():
                key = name if name in ("system", metric) else f"{metric}_{name}"
                assert row[key] == value


def test_csv_is_the_table_of_compare(output):
    printed = output(f"green {SEVERAL} --confidence --paired --format csv")
    assert printed == compare(SYSTEMS, metrics=METRICS, gold=GOLD).to_csv(index=False)
    first, *_ = csv.DictReader(io.StringIO(output(f"green {SEVERAL} --signature --format csv")))
    assert first["m2_signature"].startswith("m2|nrefs:2|beta:0.5|kept:2|nocase:no|level:corpus|")


def test_every_sentence_with_several_scores(output):
    table = compare(SYSTEMS, metrics=["m2", "green"], gold=GOLD, level="sentence")
    printed = output(f"sgreen {GIVEN} -m m2 green").splitlines()
    assert cells(printed[0]) == ["system", "sentence", "M²", "GREEN"]
    assert len(printed) - 2 == len(table) == 180
    assert cells(printed[2]) == [
        "careful",
        "1",
        *(f"{100 * table[m][0]:.2f}" for m in ("m2", "green")),
    ]


def test_json_has_the_counts(output):
    (row, *_) = json.loads(output(f"green {GIVEN} -m m2 --format json"))["results"]
    assert list(row) == [
        *("system", "beta", "m2", "precision", "recall", "correct", "proposed", "gold"),
    ]
    assert row["precision"] == row["correct"] / row["proposed"]
    assert row["recall"] == row["correct"] / row["gold"]


def test_options_go_to_the_scores_that_have_them(output):
    printed = output(f"green {SEVERAL} -t char --max -b 1 --ignore-case --signature").splitlines()
    green, gleu, m2 = printed[-3:]
    assert "|tok:char|order:6|beta:1|level" in green
    assert "|tok:char|order:6|formula:official|select:max|" in gleu
    assert m2.startswith("m2|nrefs:2|beta:1|kept:2|nocase:yes|level:corpus|")


def test_scores_that_take_no_sources_beside_scores_of_edits(output):
    together = list(csv.DictReader(io.StringIO(output(f"green {GIVEN} -m bleu m2 --format csv"))))
    for metric in ("bleu", "m2"):
        alone = csv.DictReader(io.StringIO(output(f"green {GIVEN} -m {metric} --format csv")))
        assert [row[metric] for row in together] == [row[metric] for row in alone]


def test_gold_edits_among_the_references(output):
    by_m2 = output(f"green {GIVEN} -m m2 --format csv")
    assert output(f"green -s source.txt -r references.m2 {GIVEN[19:]} -m m2 --format csv") == by_m2
    both = "-s source.txt -r reference0.txt references.m2"
    assert output(f"green {both} {GIVEN[19:]} -m m2 --format csv") == by_m2
    assert output(f"green -r references.m2 {GIVEN[19:]} -m m2 --format csv") == by_m2


# The table of a paper


def test_the_best_of_each_column_is_bold_and_differences_are_marked(output):
    markdown = output(f"green {SEVERAL} --paired --format markdown")
    assert [cell.strip() for cell in markdown.splitlines()[3].split("|")[1:-1]] == [
        *("bold", r"**88.90**\*", "+7.40", r"**71.33**\*", "+11.82", r"68.57\*", "-11.49"),
    ]
    latex = output(f"green {SEVERAL} --paired --format latex")
    assert "\\toprule\nsystem  &" in latex
    assert "M$^2$ &    diff. \\\\\n\\midrule\n" in latex
    assert "\\textbf{88.90}$^{*}$ &    +7.40 &" in latex
    assert "68.57$^{*}$ & $-$11.49 \\\\\n" in latex


def test_several_betas_have_a_column_and_a_best_each(output):
    latex = output(f"green {GIVEN} -m m2 -b 0.5 2 --format latex").splitlines()
    assert latex[2].split("&")[1].strip() == r"$\beta$"
    rows = [[cell.strip(" \\") for cell in line.split("&")] for line in latex[4:10]]
    assert [row[0] for row in rows if row[2].startswith("textbf")] == ["careful", "bold"]


def test_systems_may_have_the_names_of_columns(output):
    line = "green types --m2 references.m2 -c careful.txt bold.txt --names type green --tier 1"
    assert cells(output(line).splitlines()[2]) == ["type", "edits", "type", "green"]
    bold = "green --m2 references.m2 -c x=careful.txt y=bold.txt -m green --format latex"
    assert output(bold).count("textbf") == 3


def test_two_systems_are_marked_by_the_p_value_itself(output):
    printed = output("green --m2 references.m2 -c careful.txt bold.txt -m green m2 --paired")
    assert printed.splitlines()[3].count("*") == 2
    assert printed.splitlines()[-1].startswith("* p < 0.05 against careful (approximate")
    same = output("green --m2 references.m2 -c A=bold.txt B=bold.txt -m green m2 --paired")
    assert "*" not in "".join(same.splitlines()[:-1])


def test_twelve_systems_fit_120_columns(output, tmp_path):
    for number in range(12):
        lines = SYSTEMS["bold.txt"][: 5 * number] + SYSTEMS["careful.txt"][5 * number :]
        (tmp_path / f"SYST{number}").write_text("\n".join(lines) + "\n", "utf-8")
    systems = " ".join(str(tmp_path / f"SYST{number}") for number in range(12))
    sure = "--confidence --paired --resamples 200"
    printed = output(f"green --m2 references.m2 -c {systems} -m green gleu m2 {sure}").splitlines()
    assert [line.split()[0] for line in printed[2:14]] == [f"SYST{n}" for n in range(12)]
    assert max(map(len, printed)) <= 120
    types = output(f"green types --m2 references.m2 -c {systems}").splitlines()
    assert max(map(len, types)) <= 120


def test_names(output, tmp_path):
    markdown = "--format markdown"
    named = output(f"green --m2 references.m2 -c Ours=bold.txt -m m2 {markdown}")
    assert "| Ours " in named
    assert output(f"green --m2 references.m2 -c bold.txt --names Ours -m m2 {markdown}") == named
    assert output("green --m2 references.m2 -c Ours=bold.txt -m m2").endswith("Ours\t68.57\n")
    path = tmp_path / "a=b.txt"
    path.write_bytes((EXAMPLES / "bold.txt").read_bytes())
    assert "| a=b " in output(f"green --m2 references.m2 -c {path} -m m2 {markdown}")
    paired = "--paired --resamples 20"
    for baseline in ("Ours", "bold.txt"):
        line = f"-c A=careful.txt Ours=bold.txt --baseline {baseline} {paired}"
        assert "against Ours" in output(f"green --m2 references.m2 {line}")


@pytest.mark.parametrize(
    ("files", "shown"),
    [
        (["x/AMU.txt", "y/CAMB.txt"], ["AMU", "CAMB"]),
        (["x/AMU.txt.gz", "GPT-3.5"], ["AMU", "GPT-3.5"]),
        (["x/AMU.txt", "x/AMU.out"], ["AMU.txt", "AMU.out"]),
        (["x/AMU.txt", "y/AMU.txt"], ["x/AMU.txt", "y/AMU.txt"]),
    ],
)
def test_tables_show_short_names_that_stay_different(files, shown):
    assert short_names(files, [(file, file) for file in files]) == shown


# Error types


def test_types_are_those_of_error_types(output):
    table = error_types(SYSTEMS, GOLD)
    assert output(f"green types {GIVEN} --format csv") == table.to_csv(index=False)
    found = json.loads(output(f"green types {GIVEN} --format json"))
    assert [row["type"] for row in found["types"]] == table["type"].tolist()
    assert list(found["signatures"]) == list(found["options"]) == ["green", "m2"]
    assert "|bs:1000|" in found["signatures"]["green"]
    assert "|bs:" not in found["signatures"]["m2"]  # Wilson's intervals need no resamples
    assert found["n_sentences"] == 60
    edited = [any(sentence.edits.values()) for sentence in read_edits(GOLD)]
    rows = {(row["sentences"], row["system"]): row for row in found["sentences"]}
    for group, is_taken in (("need edits", True), ("need none", False)):
        some = [index for index, needs in enumerate(edited) if needs == is_taken]
        gold = [read_edits(GOLD)[index] for index in some]
        texts = {name: [lines[index] for index in some] for name, lines in SYSTEMS.items()}
        table = compare(texts, metrics=["green"], gold=gold, paired=None)
        for name, green, low in table[["system", "green", "low"]].itertuples(index=False):
            row = rows[group, name]
            assert (row["number"], row["green"]) == (len(some), green)
            assert row["low"] == pytest.approx(low)


def test_types_in_text(output):
    printed = output(f"green types {GIVEN} --tier 1 --signature").splitlines()
    assert printed[0] == "recall of gold edits by M², with 95% intervals"
    assert cells(printed[2]) == ["type", "edits", "careful", "bold", "broken"]
    assert cells(printed[5])[:3] == ["U", "51", "55.00 [34.21, 74.18]"]
    assert [line.partition("|")[0] for line in printed[-2:]] == ["green", "m2"]
    rows = csv.DictReader(io.StringIO(output(f"green types {GIVEN} --signature --format csv")))
    assert {row["signature"] for row in rows} == {
        output(f"green types {GIVEN} --signature").splitlines()[-1]
    }
    markdown = output(
        f"green types {GIVEN} --tier 2 --confidence 0.9 --format markdown"
    ).splitlines()
    assert markdown[1] == "recall of gold edits by M², with 90% intervals"
    assert output(f"green types {GIVEN} --tier 1 --resamples 20 --seed 1") != printed
    alone = output("green types --m2 references.m2 -c bold.txt --tier 1").splitlines()
    assert cells(alone[2]) == ["type", "edits", "gold", "correct", "recall"]


def test_types_are_those_of_the_score_that_has_gold_edits(output, tmp_path):
    path = tmp_path / "edits.m2"
    path.write_text("S He go home now .\nA 1 2|||R:VERB|||goes|||REQUIRED|||-NONE-|||0\n", "utf-8")
    printed = output(f"green types --gold errant={path} -c {path} --resamples 1")
    assert printed.startswith("recall of gold edits by ERRANT, with 95% intervals")


# What is refused, and what is probably wrong

A = "REQUIRED|||-NONE-|||0"
FILES = {
    "gold.m2": f"S a b c\nA 0 1|||R:X|||A|||{A}\n\nS d e\nA -1 -1|||noop|||-NONE-|||{A}\n",
    "other.m2": f"S a b c\nA 0 1|||R:X|||A|||{A}\n\nS d f\n",
    "two.m2": f"S a b c\nA 0 1|||R:X|||A|||{A}\nA 1 2|||R:X|||B|||{A[:-1]}1\n\nS d e\n",
    "overlap.m2": f"S a b c\nA 0 2|||R:X|||A|||{A}\nA 1 2|||R:X|||B|||{A}\n\nS d e\n",
    "range.m2": f"S a b c\nA 0 9|||R:X|||A|||{A}\n\nS d e\n",
    "nobody.m2": "S a b c\nA 0 1|||R:X|||A|||REQUIRED|||-NONE-\n\nS d e\n",
    "more.m2": "S a b c\n\nS d e\n\nS x\n",
    "nucle.m2": f"S a b c\nA 0 1|||ArtOrDet|||A|||{A}\n\nS d e\n",
    "system.txt": "A b c\nd e\n",
    "source.txt": "a b c\nd X\n",
}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            "--m2 gold.m2 -c other.m2 -m errant",
            "other.m2:4 (sentence 2) differs from gold.m2:4 (sentence 2) at character 3: 'd f', ",
        ),
        (
            "--m2 gold.m2 -c two.m2 -m errant",
            "two.m2:1 (sentence 1) has edits of 2 annotators; a system's edits have one",
        ),
        (
            "--m2 overlap.m2 -c system.txt -m m2",
            "overlap.m2:3: the edit from 1 to 2 overlaps that from 0 to 2 in line 2",
        ),
        ("--m2 range.m2 -c system.txt -m m2", "range.m2:2: an edit from 0 to 9 in a sentence of 3"),
        (
            "--m2 nobody.m2 -c system.txt -m m2",
            "nobody.m2:2: an edit must read 'A start end|||type",
        ),
        ("--m2 gold.m2 -c more.m2 -m errant", "more.m2 has 3 sentences, but gold.m2 has 2"),
        (
            "-s source.txt -r gold.m2 -c system.txt -m m2",
            "gold.m2:4 (sentence 2) differs from source.txt (sentence 2) at character 3: 'd e', ",
        ),
        (
            "--m2 gold.m2 -r nucle.m2 -c system.txt -m m2",
            "gold.m2 and nucle.m2 both have gold edits; leave one out",
        ),
        ("-s source.txt -r gold.m2 nucle.m2 -c system.txt", "gold.m2 and nucle.m2 both have gold"),
        (
            "--gold m2=gold.m2 errant=other.m2 -c system.txt -m m2 errant",
            "other.m2:4 (sentence 2) differs from gold.m2:4 (sentence 2) at character 3: 'd f', ",
        ),
        (
            "--gold m2=gold.m2 -c system.txt -m errant",
            "errant needs gold edits; give an M2 file: --m2 or --gold errant=FILE",
        ),
        (
            "-s source.txt -r system.txt -c system.txt -m m2",
            "m2 needs gold edits; give an M2 file: --m2 or --gold m2=FILE",
        ),
        (
            "--m2 gold.m2 -c system.txt -m m2 -t char",
            "m2 has no option 'tokenizer'; its options are",
        ),
        ("--m2 gold.m2 -c system.txt -m m2 -v", "argument -v: shows the n-grams of one score, not"),
        (
            "--m2 gold.m2 -c system.txt -m m2 gleu --formula paper -b 1 2",
            "several metrics take one beta",
        ),
        ("--m2 gold.m2 -c a=system.txt a=more.m2", "argument -c: there are two systems a; "),
        ("--m2 gold.m2 -c a=system.txt --names b", "argument --names: not allowed with name=FILE"),
        ("--m2 gold.m2 -c system.txt --names a b", "argument --names: 1 systems need as many"),
        ("--m2 gold.m2 -c system.txt system.txt --names a a", "argument --names: 2 systems need"),
        ("--m2 gold.m2 -c system.txt --names ''", "argument --names: 1 systems need as many"),
        ("types --m2 gold.m2 -c system.txt --tier 4", "argument --tier: must be a whole number f"),
        (
            "types --m2 nucle.m2 -c system.txt --tier 1 --effective-order",
            "'ArtOrDet' is not one of ERRANT's types, like R:NOUN; other types",
        ),
        (
            "types --m2 gold.m2 -c system.txt -m gleu",
            "argument -m/--metric: invalid choice: 'gleu'",
        ),
        ("types --m2 gold.m2 -c system.txt --paired", "unknown argument --paired"),
        ("types -s source.txt -r system.txt -c system.txt", "m2 needs gold edits; give an M2 file"),
    ],
)
def test_bad_input(refused, tmp_path, arguments, message):
    for name, content in FILES.items():
        (tmp_path / name).write_text(content, "utf-8")
    assert refused(f"green {arguments}").startswith(message)


def test_raw_texts_are_warned_about(run, tmp_path):
    path = tmp_path / "raw.txt"
    path.write_text("\n".join(line.replace(" .", ".") for line in SYSTEMS["bold.txt"]), "utf-8")
    status, _, errors = run(f"green --m2 references.m2 -c {path} -m m2")
    assert status == 0
    assert "end with punctuation that is attached to a word" in errors
    assert errors.endswith("; tokenise all texts alike\n")
