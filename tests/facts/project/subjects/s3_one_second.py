"""An object read from S3, with a read timeout of one second."""

import boto3
from botocore.config import Config


def client(endpoint):
    return boto3.client("s3", endpoint_url=endpoint, config=Config(read_timeout=1))


def call(client):
    return client.get_object(Bucket="failsame", Key="items.csv")["Body"].read()
