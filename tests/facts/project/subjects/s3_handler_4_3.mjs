// An object read from S3, through a request handler of before its `requestTimeout` only warned.

import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { NodeHttpHandler } from "node-http-handler-4-3";

export function client(endpoint) {
  const requestHandler = new NodeHttpHandler({ requestTimeout: 2000 });
  return new S3Client({ endpoint, forcePathStyle: true, requestHandler });
}

export async function call(client) {
  const { Body } = await client.send(new GetObjectCommand({ Bucket: "failsame", Key: "items.csv" }));
  return Body.transformToString();
}
