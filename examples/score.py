"""Score the three example systems, after `green register`: python examples/score.py"""

from pathlib import Path

import evaluate

HERE = Path(__file__).parent


def read(name: str) -> list[str]:
    return (HERE / name).read_text(encoding="utf-8").splitlines()


def main() -> None:
    green = evaluate.load("green", seed=12345)
    sources = read("source.txt")
    references = list(zip(read("reference0.txt"), read("reference1.txt"), strict=True))
    print("system     GREEN  95% interval     precision  recall  char GREEN")
    for system in ("source", "careful", "bold", "broken"):
        texts = {"sources": sources, "predictions": read(f"{system}.txt"), "references": references}
        word = green.compute(**texts, n_resamples=1000)
        char = green.compute(**texts, tokenizer="char")
        low, high = word["confidence_interval"]
        print(
            f"{system:8}  {word['green']:6.4f}  [{low:.4f}, {high:.4f}]  "
            f"{word['precision']:9.4f}  {word['recall']:6.4f}  {char['green']:10.4f}"
        )


if __name__ == "__main__":
    main()
