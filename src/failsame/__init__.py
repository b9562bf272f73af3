"""After the upgrade, your clients fail the same."""

__version__ = "0.1.0"
