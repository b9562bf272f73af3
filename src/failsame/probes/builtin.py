"""The subjects that come with failsame, as a table."""

from dataclasses import dataclass
from pathlib import Path

from failsame.language import Language

_PYTHON = Path(__file__).parent / "python"
_NODE = Path(__file__).parent / "node"


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """One subject: its file, and the distribution (by its normalised name, npm's by its own) that makes it apply.

    What comes with its runtime has none, and applies where it is configured.
    """

    name: str
    file: Path
    distribution: str | None
    dialect: str
    service: str
    """Whom it calls, after "when …": "S3", "the service"."""
    language: Language = "python"


_SERVICE = "the service"

_ALL = (
    BuiltIn("boto3-s3", _PYTHON / "subjects/boto3_s3.py", "boto3", "s3", "S3"),
    BuiltIn("boto3-dynamodb", _PYTHON / "subjects/boto3_dynamodb.py", "boto3", "aws-json", "DynamoDB"),
    BuiltIn("boto3-sqs", _PYTHON / "subjects/boto3_sqs.py", "boto3", "aws-json", "SQS"),
    BuiltIn("requests", _PYTHON / "subjects/requests_.py", "requests", "http", _SERVICE),
    BuiltIn("httpx", _PYTHON / "subjects/httpx_.py", "httpx", "http", _SERVICE),
    BuiltIn("aiohttp", _PYTHON / "subjects/aiohttp_.py", "aiohttp", "http", _SERVICE),
    BuiltIn("openai", _PYTHON / "subjects/openai_.py", "openai", "openai", "OpenAI"),
    BuiltIn("anthropic", _PYTHON / "subjects/anthropic_.py", "anthropic", "anthropic", "Anthropic"),
    BuiltIn("aws-sdk-s3", _NODE / "subjects/aws-sdk-s3.mjs", "@aws-sdk/client-s3", "s3", "S3", "node"),
    BuiltIn(
        "aws-sdk-dynamodb",
        _NODE / "subjects/aws-sdk-dynamodb.mjs",
        "@aws-sdk/client-dynamodb",
        "aws-json",
        "DynamoDB",
        "node",
    ),
    BuiltIn("fetch", _NODE / "subjects/fetch.mjs", None, "http", _SERVICE, "node"),
    BuiltIn("undici", _NODE / "subjects/undici.mjs", "undici", "http", _SERVICE, "node"),
    BuiltIn("axios", _NODE / "subjects/axios.mjs", "axios", "http", _SERVICE, "node"),
    BuiltIn("got", _NODE / "subjects/got.mjs", "got", "http", _SERVICE, "node"),
    BuiltIn("openai-node", _NODE / "subjects/openai-node.mjs", "openai", "openai", "OpenAI", "node"),
    BuiltIn(
        "anthropic-node", _NODE / "subjects/anthropic-node.mjs", "@anthropic-ai/sdk", "anthropic", "Anthropic", "node"
    ),
)

BUILTINS: dict[str, BuiltIn] = {builtin.name: builtin for builtin in _ALL}
"""By name. Of several for one distribution only the first runs without being configured."""
