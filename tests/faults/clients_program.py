"""Run in an environment with the real clients: does what it is told on standard input, one JSON line a result."""

# ruff: noqa: BLE001, PLC0415, T201 - each client is imported by who uses it; what it raises is the result, as a line.

import json
import sys
from collections.abc import Callable
from typing import Any


def _aws(service: str, url: str) -> Any:
    import boto3
    from botocore.config import Config

    return boto3.client(
        service,
        endpoint_url=url,
        region_name="us-east-1",
        aws_access_key_id="dummy",
        aws_secret_access_key="dummy",
        config=Config(retries={"total_max_attempts": 1}, s3={"addressing_style": "path"}),
    )


def _openai(url: str) -> Any:
    import openai

    return openai.OpenAI(base_url=f"{url}/v1", api_key="dummy", max_retries=0)


def _anthropic(url: str) -> Any:
    import anthropic

    return anthropic.Anthropic(base_url=url, api_key="dummy", max_retries=0)


_KEY = {"Bucket": "bucket", "Key": "a.csv"}
_CHAT: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
_MESSAGES: dict[str, Any] = {**_CHAT, "max_tokens": 9}


def _get(url: str) -> int:
    import requests

    return len(requests.get(f"{url}/items", timeout=5).json()["items"])


def _upload(url: str) -> str:
    client = _aws("s3", url)
    upload = client.create_multipart_upload(**_KEY)["UploadId"]
    part = client.upload_part(**_KEY, UploadId=upload, PartNumber=1, Body=b"x")["ETag"]
    parts = {"Parts": [{"ETag": part, "PartNumber": 1}]}
    return str(client.complete_multipart_upload(**_KEY, UploadId=upload, MultipartUpload=parts)["Key"])


def _receive(url: str) -> str:
    (message,) = _aws("sqs", url).receive_message(QueueUrl=f"{url}/000000000000/queue")["Messages"]
    return str(message["Body"])


def _message_stream(url: str) -> str:
    with _anthropic(url).messages.stream(**_MESSAGES) as stream:
        return str(stream.get_final_text())


DOES: dict[str, Callable[[str], Any]] = {
    "s3 get": lambda url: len(_aws("s3", url).get_object(**_KEY)["Body"].read()),
    "s3 head": lambda url: _aws("s3", url).head_object(**_KEY)["ContentLength"],
    "s3 put": lambda url: bool(_aws("s3", url).put_object(**_KEY, Body=b"x" * 100)["ETag"]),
    "s3 copy": lambda url: bool(_aws("s3", url).copy_object(**_KEY, CopySource="bucket/b")["CopyObjectResult"]["ETag"]),
    "s3 list": lambda url: [each["Key"] for each in _aws("s3", url).list_objects_v2(Bucket="bucket")["Contents"]],
    "s3 buckets": lambda url: len(_aws("s3", url).list_buckets()["Buckets"]),
    "s3 delete": lambda url: _aws("s3", url).delete_object(**_KEY)["ResponseMetadata"]["HTTPStatusCode"],
    "s3 upload": _upload,
    "dynamodb get": lambda url: _aws("dynamodb", url).get_item(TableName="t", Key={"id": {"S": "1"}})["Item"]["count"],
    "dynamodb query": lambda url: _aws("dynamodb", url).query(TableName="t")["Count"],
    "dynamodb put": lambda url: _aws("dynamodb", url).put_item(TableName="t", Item={"id": {"S": "1"}}) and "put",
    "sqs receive": _receive,
    "sqs send": lambda url: _aws("sqs", url).send_message(QueueUrl=f"{url}/0/q", MessageBody="hi")["MD5OfMessageBody"],
    "kms": lambda url: _aws("kms", url).describe_key(KeyId="k")["ResponseMetadata"]["HTTPStatusCode"],
    "secret": lambda url: bool(_aws("secretsmanager", url).get_secret_value(SecretId="s")["SecretString"]),
    "openai chat": lambda url: _openai(url).chat.completions.create(**_CHAT).choices[0].message.content,
    "openai stream": lambda url: "".join(
        chunk.choices[0].delta.content or "" for chunk in _openai(url).chat.completions.create(**_CHAT, stream=True)
    ).strip(),
    "openai response": lambda url: _openai(url).responses.create(model="m", input="hi").output_text,
    "openai response stream": lambda url: next(
        event.response.output_text
        for event in _openai(url).responses.create(model="m", input="hi", stream=True)
        if event.type == "response.completed"
    ),
    "openai embedding": lambda url: len(_openai(url).embeddings.create(model="m", input="hi").data[0].embedding),
    "openai models": lambda url: len(_openai(url).models.list().data),
    "anthropic": lambda url: _anthropic(url).messages.create(**_MESSAGES).content[0].text,
    "anthropic stream": _message_stream,
    "requests": _get,
}


def _done(what: str, url: str) -> Any:
    try:
        return DOES[what](url)
    except Exception as error:
        code = getattr(error, "response", None)
        code = code["Error"]["Code"] if isinstance(code, dict) else None
        return f"{type(error).__name__}{f' {code}' if code else ''}"


if __name__ == "__main__":
    for line in sys.stdin:
        what, url = json.loads(line)
        print(json.dumps(_done(what, url)), flush=True)
