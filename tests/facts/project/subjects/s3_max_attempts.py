"""An object read from S3, with `max_attempts` of five: botocore counts the retries."""

import boto3
from botocore.config import Config


def client(endpoint):
    return boto3.client("s3", endpoint_url=endpoint, config=Config(retries={"max_attempts": 5}))


def call(client):
    return client.get_object(Bucket="failsame", Key="items.csv")["Body"].read()
