"""What is wrong with a rule."""


class BudgetError(ValueError):
    """What is wrong with the text of a rule, in a few words, and where: the place of a character, from 0."""

    def __init__(self, at: int, what: str) -> None:
        super().__init__(what)
        self.at = at
        self.what = what

    def said(self, text: str) -> str:
        """The same as one line that shows the place."""
        return f"at character {self.at + 1} of {len(text)}: {self.what}"
