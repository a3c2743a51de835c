import { AwsClient } from "aws4fetch";
import type { Bucket } from "./s3-address.ts";

/** Signs requests to a bucket, with the usual variables of AWS. */
export function s3Client(
  { bucket, accessKeyId, secretAccessKey }: Bucket,
  env: NodeJS.ProcessEnv,
): { client: AwsClient; urlOf(key: string): string } {
  const region = env["AWS_REGION"] || env["AWS_DEFAULT_REGION"] || "us-east-1";
  const endpoint = env["AWS_ENDPOINT_URL_S3"] || env["AWS_ENDPOINT_URL"] || `https://s3.${region}.amazonaws.com`;
  const sessionToken = env["AWS_SESSION_TOKEN"];
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    region,
    service: "s3",
    ...(sessionToken ? { sessionToken } : {}),
  });
  const base = `${endpoint.replace(/\/+$/, "")}/${bucket}`;
  return { client, urlOf: (key) => `${base}/${key.split("/").map(encodeURIComponent).join("/")}` };
}
