// An object read from S3; S3_SETTINGS holds settings of the client as JSON.

import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";

const settings = JSON.parse(process.env.S3_SETTINGS);

export function client(endpoint) {
  return new S3Client({ endpoint, forcePathStyle: true, ...settings });
}

export async function call(client) {
  const { Body } = await client.send(new GetObjectCommand({ Bucket: "failsame", Key: "items.csv" }));
  return Body.transformToString();
}
