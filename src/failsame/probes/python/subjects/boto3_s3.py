"""An object read from S3, with boto3's defaults."""

import boto3


def client(endpoint):
    return boto3.client("s3", endpoint_url=endpoint)


def call(client):
    return client.get_object(Bucket="failsame", Key="items.csv")["Body"].read()
