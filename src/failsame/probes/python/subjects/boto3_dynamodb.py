"""An item read from DynamoDB, with boto3's defaults."""

import boto3


def client(endpoint):
    return boto3.client("dynamodb", endpoint_url=endpoint)


def call(client):
    return client.get_item(TableName="failsame", Key={"id": {"S": "1"}})["Item"]
