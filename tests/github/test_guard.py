"""Tokens leave the environment, the bytes it was made of, and the reach of other processes."""

import json
import subprocess
import sys

PROGRAM = """
import ctypes, json, os, subprocess, sys
from failsame.github import guard

guard.shut()
child = subprocess.run([sys.executable, "-c", '''
import json, os
parent = os.getppid()
try:
    seen = open(f"/proc/{parent}/environ", "rb").read().decode()
except PermissionError:
    seen = ""
print(json.dumps([dict(os.environ), seen]))
'''], capture_output=True, text=True, check=True)
own, parents = json.loads(child.stdout)
print(json.dumps({
    "own": dict(os.environ),
    "initial": open("/proc/self/environ", "rb").read().decode(),
    "child": own,
    "parents": parents,
    "dumpable": ctypes.CDLL(None).prctl(3, 0, 0, 0, 0),
}))
"""

SECRETS = {
    "INPUT_TOKEN": "s3cret-1",
    "GITHUB_TOKEN": "s3cret-2",
    "ACTIONS_RUNTIME_TOKEN": "s3cret-3",
    "ACTIONS_ID_TOKEN_REQUEST_URL": "s3cret-4",
    "AWS_SECRET_ACCESS_KEY": "s3cret-5",
    "DATABASE_PASSWORD": "s3cret-6",
}


def test_no_token_is_left() -> None:
    """Neither this process, nor its child, nor a child that reads /proc of its parent finds a token afterwards."""
    kept = {"PATH": "/usr/bin:/bin", "HOME": "/", "UV_INDEX_OWN_PASSWORD": "for-uv", "LANG": "C.UTF-8"}
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM], env={**SECRETS, **kept}, capture_output=True, text=True, check=True
    )
    assert "s3cret" not in ran.stdout
    seen = json.loads(ran.stdout)
    assert seen["dumpable"] == 0
    assert kept.items() <= seen["own"].items()
    assert kept.items() <= seen["child"].items()
    # The child of root may read its parent's; it finds the rest, so it would have found a token.
    assert "UV_INDEX_OWN_PASSWORD=for-uv" in seen["initial"]
