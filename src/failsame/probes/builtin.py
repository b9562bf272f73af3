"""The subjects that come with failsame, as a table."""

from dataclasses import dataclass
from pathlib import Path

from failsame.language import Language

_PYTHON = Path(__file__).parent / "python"

PYTHON_PROBE = _PYTHON / "failsame_probe"
"""The probe for Python: the interpreter of the subject's environment runs this folder."""


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """One subject: its file, and the distribution (by its normalised name) that makes it apply."""

    name: str
    file: Path
    distribution: str
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
)

BUILTINS: dict[str, BuiltIn] = {builtin.name: builtin for builtin in _ALL}
"""By name. Of several for one distribution only the first runs without being configured."""
