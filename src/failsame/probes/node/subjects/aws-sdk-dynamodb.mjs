// An item read from DynamoDB, with the AWS SDK's defaults.

import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";

export function client(endpoint) {
  return new DynamoDBClient({ endpoint });
}

export async function call(client) {
  const { Item } = await client.send(new GetItemCommand({ TableName: "failsame", Key: { id: { S: "1" } } }));
  return Item;
}
