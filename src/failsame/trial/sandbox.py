"""The environment of a probe: an allow-list, never a filtered copy.

A job's environment holds tokens, those of other tools too; nobody can list them all. So nothing is passed on that
is not named here.
"""

import os
from collections.abc import Collection, Mapping
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

# In place of the machine's 140 authorities, which OpenSSL takes 30 ms to read for each client that is made, also for
# one that asks by http; nobody else's server can be connected to.
_TRUST = ("SSL_CERT_FILE",)
# https: each client reads the authority from a variable of its own (requests and boto3 from REQUESTS_CA_BUNDLE).
_TRUST_FOR_TLS = (*_TRUST, "REQUESTS_CA_BUNDLE", "AWS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS")

# Where an SDK reads the service's address when the subject's `client()` takes none: variable -> its service's dialects,
# and the path after the URL.
_ENDPOINT = {
    "AWS_ENDPOINT_URL": ({"s3", "aws-json"}, ""),
    "OPENAI_BASE_URL": ({"openai"}, "/v1"),
    "ANTHROPIC_BASE_URL": ({"anthropic"}, ""),
}


def environment(home: Path, authority: Path, variables: Mapping[str, str], *, tls: bool) -> dict[str, str]:
    """Make a probe's environment.

    `home` is a folder of its own, `authority` a certificate (PEM), `variables` the configuration's `env`; `tls`: some
    requests go by https.
    """
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    own = {"HOME": str(home), "TMPDIR": str(home)}
    trust = dict.fromkeys(_TRUST_FOR_TLS if tls else _TRUST, str(authority))
    return kept | _FIXED | own | trust | dict(variables)


def endpoint_variables(urls: Mapping[str, str], dialects: Mapping[str, str]) -> dict[str, str]:
    """Give the services' addresses to a subject whose `client()` takes none.

    `urls` and `dialects` are by endpoint. An SDK gets the first endpoint of its dialect, or the first of all.
    """

    def url(spoken: Collection[str]) -> str:
        return next((urls[name] for name, dialect in dialects.items() if dialect in spoken), next(iter(urls.values())))

    return {variable: url(spoken) + path for variable, (spoken, path) in _ENDPOINT.items()}
