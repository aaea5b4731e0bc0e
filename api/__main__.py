"""`python -m kingmaker`: the `kingmaker` command."""

from kingmaker.cli import main

if __name__ == "__main__":
    main()
