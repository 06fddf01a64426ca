"""The figures printed in the papers, and the cells in which ours are known to differ.

INLG: Koyama et al. (2024), "n-gram F-score for Evaluating Grammatical Error Correction", INLG 2024.
NLP: its first version, in Japanese, from the annual meeting of the Association for Natural Language
Processing, 2024.
"""

from typing import NamedTuple

Rows = dict[str, list[str]]  # cells by row, "–" if nothing is printed


def _rows(table: str) -> Rows:
    rows = (line.split() for line in table.strip().splitlines())
    return {name: cells for name, *cells in rows}


# INLG, Table 2: correlations with human Expected Wins. I-measure's are from NLP, Table 2.
CORRELATION_COLUMNS = [
    *("CoNLL r", "CoNLL ρ", "SEEDA-S r", "SEEDA-S ρ", "SEEDA-E r", "SEEDA-E ρ"),
]
CORPUS_LEVEL = _rows("""
    M²         0.623  0.687 0.616 0.517 0.736 0.776
    ERRANT     0.644  0.687 0.529 0.364 0.690 0.699
    PT-M²      0.686  0.786 0.737 0.720 0.798 0.916
    CLEME      0.648  0.709 0.573 0.427 0.702 0.727
    I-measure -0.250 -0.385   –     –     –     –
    wordGLEU   0.696  0.445 0.870 0.811 0.891 0.895
    charGLEU   0.606  0.593 0.807 0.706 0.843 0.867
    wordGREEN  0.741  0.698 0.920 0.909 0.911 0.930
    charGREEN  0.786  0.813 0.913 0.881 0.911 0.909
""")
SENTENCE_LEVEL = _rows("""
    M²        0.872 0.731 0.797 0.762 0.869 0.951
    ERRANT    0.871 0.775 0.764 0.727 0.855 0.930
    PT-M²     0.934 0.890 0.831 0.804 0.878 0.930
    CLEME     0.877 0.824 0.818 0.804 0.872 0.930
    wordGLEU  0.779 0.720 0.926 0.923 0.915 0.916
    charGLEU  0.655 0.665 0.880 0.853 0.905 0.937
    wordGREEN 0.835 0.731 0.922 0.902 0.920 0.937
    charGREEN 0.834 0.852 0.928 0.881 0.930 0.916
""")

# INLG, Table 4: scores in percent, and Expected Wins. INPUT is the source, NULL one empty line per
# sentence.
SCORE_COLUMNS = ["AMU", "INPUT", "IPN", "NULL"]
SCORES = _rows("""
    M²        35.01  0.00  7.09 28.01
    ERRANT    31.97  0.00  5.95  0.20
    PT-M²     35.94  0.00  5.72  2.44
    CLEME     25.14  0.00  4.41 33.44
    wordGLEU  58.08 56.34 55.08  0.00
    charGLEU  81.68 81.75 81.06  0.00
    wordGREEN 79.26 76.93 76.31 43.46
    charGREEN 91.48 91.00 90.74 31.28
    human     0.628 0.456 0.300   –
""")

# NLP, Table 2: correlations of corpus-level scores; F-scores use the best beta per column. Its
# column Yahoo is left out.
FIRST_COLUMNS = ["CoNLL r", "CoNLL ρ", "FCE r", "FCE ρ", "Wiki r", "Wiki ρ"]
FIRST = _rows("""
    M²         0.697  0.725 0.972 0.964 0.544 0.464
    ERRANT     0.714  0.742 0.972 0.964 0.604 0.464
    I-measure -0.250 -0.385 0.904 0.929 0.892 0.714
    wordGLEU   0.696  0.445 0.961 0.964 0.684 0.429
    charGLEU   0.606  0.593 0.992 0.964 0.964 0.821
    wordGREEN  0.790  0.709 0.989 0.964 0.951 0.714
    charGREEN  0.803  0.824 0.993 1.000 0.974 0.893
""")
BEST_BETAS = _rows("""
    M²        0.17 0.15 0.91 0.73 0.01 1.79
    ERRANT    0.20 0.19 0.90 0.82 0.00 3.84
    wordGREEN 1.67 2.51 1.14 1.58 1.12 1.04
    charGREEN 1.85 1.96 1.69 1.51 1.56 1.92
""")

# INLG, Table 3: seconds to score AMU and AMU-S, a variant with one sentence that makes M² slow.
SECONDS = _rows("""
    M²          4.34 196.60
    ERRANT     12.35  14.34
    PT-M²     109.82  >3600
    CLEME      10.15  12.10
    wordGLEU    2.69   2.80
    wordGREEN   0.55   0.56
""")
# NLP, Table 2: seconds for the metrics that INLG's Table 3 lacks.
FIRST_SECONDS = _rows("""
    I-measure 197.29
    charGLEU    3.86
    charGREEN   1.59
""")


class Known(NamedTuple):
    """A cell that is known to differ: the figure that is computed instead, and why."""

    figure: str
    reason: str


OTHER_EDITS = "scored from edits of another version of ERRANT and its tagger"

# Cells known to differ, by table, row and column.
KNOWN = {
    ("corpus level", "M²", "SEEDA-E r"): Known(
        "0.735", "0.736 comes out if a sentence's annotator is the best one for it alone"
    ),
    ("sentence level", "wordGLEU", "CoNLL r"): Known(
        "0.781", "0.779 comes out with drawn references"
    ),
    ("sentence level", "charGLEU", "CoNLL r"): Known(
        "0.657", "0.655 comes out with drawn references"
    ),
    ("scores", "CLEME", "NULL"): Known(
        "0.00", "NULL's edits are wrong in every sentence; how 33.44 came about is not known"
    ),
    ("scores", "wordGREEN", "AMU"): Known(
        "79.25", "the authors' implementation gives 79.2482, too"
    ),
    ("first paper", "M²", "Wiki r"): Known("0.543", OTHER_EDITS),
    ("first paper", "wordGLEU", "Wiki r"): Known("0.683", "not known"),
    **{
        (table, "ERRANT", column): Known(figure, OTHER_EDITS)
        for table, figures in {
            "corpus level": {
                "CoNLL r": "0.642",
                "CoNLL ρ": "0.659",
                "SEEDA-S r": "0.519",
                "SEEDA-E r": "0.680",
            },
            "sentence level": {
                "CoNLL r": "0.872",
                "SEEDA-S r": "0.759",
                "SEEDA-S ρ": "0.706",
                "SEEDA-E r": "0.853",
                "SEEDA-E ρ": "0.923",
            },
            "scores": {"AMU": "32.08", "IPN": "6.06"},
            "first paper": {"CoNLL r": "0.713", "Wiki r": "0.601"},
        }.items()
        for column, figure in figures.items()
    },
}
