"""Everything that speaks to GitHub: from an event to a verdict, a comment, a pull request with new baselines."""
