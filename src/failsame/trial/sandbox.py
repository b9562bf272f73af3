"""The environment of a probe: an allow-list, never a filtered copy.

A job's environment holds tokens, those of other tools too; nobody can list them all. So nothing is passed on that
is not named here.
"""

import os
from collections.abc import Mapping
from pathlib import Path

_KEPT = ("LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "TZ")

_FIXED = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    # Two runs of one subject hash, and so order, alike.
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONUTF8": "1",
    # Without credentials AWS SDKs ask the metadata address for some.
    "AWS_ACCESS_KEY_ID": "AKIAFAILSAMEDUMMY000",
    "AWS_SECRET_ACCESS_KEY": "failsame-dummy",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_REGION": "us-east-1",
    "AWS_EC2_METADATA_DISABLED": "true",
    "OPENAI_API_KEY": "sk-failsame-dummy",
    "ANTHROPIC_API_KEY": "sk-ant-failsame-dummy",
}

# https: each client reads the authority from a variable of its own (requests and boto3 from REQUESTS_CA_BUNDLE).
_AUTHORITY = ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "AWS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS")

# Where an SDK reads the service's address when the subject's `client()` takes none: variable -> path after the URL.
_ENDPOINT = {
    "AWS_ENDPOINT_URL": "",
    "OPENAI_BASE_URL": "/v1",
    "ANTHROPIC_BASE_URL": "",
}


def environment(home: Path, authority: Path | None, variables: Mapping[str, str]) -> dict[str, str]:
    """Make a probe's environment; `home` is a folder of its own, `variables` the configuration's `env`."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    own = {"HOME": str(home), "TMPDIR": str(home)}
    trust = dict.fromkeys(_AUTHORITY, str(authority)) if authority else {}
    return kept | _FIXED | own | trust | dict(variables)


def endpoint_variables(url: str) -> dict[str, str]:
    """Give the service's address to a subject whose `client()` takes none."""
    return {name: url + path for name, path in _ENDPOINT.items()}
