"""`python -m green_gec` is the command `green`."""

from green_gec.cli import green

if __name__ == "__main__":
    raise SystemExit(green())
