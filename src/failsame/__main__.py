"""`python -m failsame`."""

from failsame.cli import main

main()
