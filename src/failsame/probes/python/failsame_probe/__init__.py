"""What runs inside a subject's environment: standard library only, Python 3.9 and newer."""
