"""Good answers are accepted by the clients of today, and errors recognised: over https, whose authority they trust."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import uv
from tests.faults.driving import Driver

from failsame.faults.protocol import EndpointSpec

pytestmark = pytest.mark.install

_PACKAGES = ("anthropic==2.14.0", "boto3==1.44.8", "openai==3.57.0", "requests==2.34.2")

Do = Callable[..., object]


@pytest.fixture(scope="session")
def do(driver: Driver, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Do]:
    """Let a real client do something against a scenario; gives what it got, or its error's class and code."""
    folder = tmp_path_factory.mktemp("clients")
    program = Path(__file__).with_name("clients_program.py")
    wanted = [word for package in _PACKAGES for word in ("--with", package)]
    # uv asks the registry with the machine's own certificates, the clients ask the server with its authority's.
    trusted = [f"{name}={driver.authority}" for name in ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "AWS_CA_BUNDLE")]
    alone = ("--no-project", "--isolated", "--no-build", "--quiet", "--python", sys.executable)
    process = subprocess.Popen(
        [uv.find_uv_bin(), "run", *alone, *wanted, "env", *trusted, "python", str(program)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        # A home of its own, so that nobody's settings for AWS count.
        env={**os.environ, "HOME": str(folder), "UV_CACHE_DIR": _cache(), "AWS_EC2_METADATA_DISABLED": "true"},
    )
    assert process.stdin
    assert process.stdout
    stdin, stdout = process.stdin, process.stdout

    def run(what: str, dialect: str, scenario: str = "healthy") -> object:
        with driver.trial(scenario, EndpointSpec(dialect=dialect, tls=True)) as served:
            stdin.write(json.dumps([what, served.opened.urls["main"]]) + "\n")
            stdin.flush()
            result: object = json.loads(stdout.readline())
            journal = served.close()
            assert all(request.key != "not HTTP" for request in journal.requests)
            return result

    with process:
        yield run
        stdin.close()
    assert process.returncode == 0


def _cache() -> str:
    command = [uv.find_uv_bin(), "cache", "dir"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


_TEXT = "This is failsame's good answer, long enough to be cut in half, stalled, or sent a byte at a time."


@pytest.mark.parametrize(
    ("what", "dialect", "got"),
    [
        ("s3 get", "s3", 567),
        ("s3 head", "s3", 567),
        ("s3 put", "s3", True),
        ("s3 copy", "s3", True),
        ("s3 list", "s3", ["a.csv"]),
        ("s3 buckets", "s3", 1),
        ("s3 delete", "s3", 204),
        ("s3 upload", "s3", "a.csv"),
        ("dynamodb get", "aws-json", {"N": "42"}),
        ("dynamodb query", "aws-json", 1),
        ("dynamodb put", "aws-json", "put"),
        ("sqs send", "aws-json", "49f68a5c8493ec2c0bf489821c21fc3b"),
        ("kms", "aws-json", 200),
        ("secret", "aws-json", True),
        ("openai chat", "openai", _TEXT),
        ("openai stream", "openai", _TEXT),
        ("openai response", "openai", _TEXT),
        ("openai response stream", "openai", _TEXT),
        ("openai embedding", "openai", 32),
        ("openai models", "openai", 3),
        ("anthropic", "anthropic", _TEXT),
        ("anthropic stream", "anthropic", _TEXT),
        ("requests", "http", 4),
    ],
)
def test_a_good_answer_is_accepted(do: Do, what: str, dialect: str, got: object) -> None:
    """The client's own reading of the answer is what was meant."""
    assert do(what, dialect) == got


def test_a_message_is_received_with_the_md5_of_its_body(do: Do) -> None:
    """boto3 verifies it."""
    assert str(do("sqs receive", "aws-json")).startswith("One item of failsame's good answer")


@pytest.mark.parametrize(
    ("what", "dialect", "scenario", "error"),
    [
        ("s3 get", "s3", "status-500", "ClientError InternalError"),
        ("s3 get", "s3", "status-503", "ClientError ServiceUnavailable"),
        ("s3 get", "s3", "status-403", "AccessDenied AccessDenied"),
        ("s3 get", "s3", "status-404", "NoSuchKey NoSuchKey"),
        ("s3 get", "s3", "throttled", "ClientError SlowDown"),
        ("s3 get", "s3", "clock-skew", "ClientError RequestTimeTooSkewed"),
        ("s3 get", "s3", "bad-checksum", "FlexibleChecksumError"),
        ("s3 get", "s3", "truncated-body", "ResponseStreamingError"),
        ("s3 copy", "s3", "error-in-200", "ClientError InternalError"),
        ("dynamodb get", "aws-json", "status-500", "InternalServerError InternalServerError"),
        (
            "dynamodb get",
            "aws-json",
            "throttled",
            "ProvisionedThroughputExceededException ProvisionedThroughputExceededException",
        ),
        ("sqs receive", "aws-json", "throttled", "RequestThrottled RequestThrottled"),
        ("openai chat", "openai", "status-500", "InternalServerError"),
        ("openai chat", "openai", "throttled", "RateLimitError"),
        ("openai chat", "openai", "status-404", "NotFoundError"),
        ("anthropic", "anthropic", "status-500", "InternalServerError"),
        ("anthropic", "anthropic", "throttled", "OverloadedError"),
        ("anthropic", "anthropic", "status-429", "RateLimitError"),
    ],
)
def test_an_error_is_recognised(do: Do, what: str, dialect: str, scenario: str, error: str) -> None:
    """The client raises the error that it has for it, with the code of the body."""
    assert do(what, dialect, scenario) == error
