"""The keys of KMS listed, with boto3's defaults."""

import boto3


def client(endpoint):
    return boto3.client("kms", endpoint_url=endpoint)


def call(client):
    return client.list_keys()
