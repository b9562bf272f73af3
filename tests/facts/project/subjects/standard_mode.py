"""A call in botocore's standard retry mode; the variables say of what, how often it may try, and with what quota."""

import os

import boto3
from botocore.config import Config
from botocore.retries import quota, standard

CALLS = {
    "s3": lambda client: client.get_object(Bucket="failsame", Key="items.csv")["Body"].read(),
    "dynamodb": lambda client: client.get_item(TableName="failsame", Key={"id": {"S": "1"}})["Item"],
    "sqs": lambda client: client.receive_message(QueueUrl="https://sqs.us-east-1.amazonaws.com/0/failsame")["Messages"],
}
SERVICE = os.environ.get("CASE_SERVICE", "s3")


def client(endpoint):
    # Nothing of the public interface sets these two: both are defaults of parameters that botocore never gives.
    tokens, ceiling = os.environ.get("CASE_TOKENS"), os.environ.get("CASE_MAX_BACKOFF")
    if tokens:
        quota.RetryQuota.__init__.__defaults__ = (int(tokens), None)
    if ceiling:
        standard.ExponentialBackoff.__init__.__defaults__ = (
            float(ceiling),
            *standard.ExponentialBackoff.__init__.__defaults__[1:],
        )
    most = os.environ.get("CASE_MAX_ATTEMPTS")
    config = Config(retries={"total_max_attempts": int(most)}) if most else None
    return boto3.client(SERVICE, endpoint_url=endpoint, config=config)


def call(client):
    return CALLS[SERVICE](client)
