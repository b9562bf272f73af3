// An object read from S3, with the AWS SDK's defaults.

import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";

export function client(endpoint) {
  return new S3Client({ endpoint, forcePathStyle: true });
}

export async function call(client) {
  const { Body } = await client.send(new GetObjectCommand({ Bucket: "failsame", Key: "items.csv" }));
  return Body.transformToString();
}
