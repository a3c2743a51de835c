import { StartError } from "../launch/start-error.ts";

export interface Bucket {
  bucket: string;
  /** Ends with a slash, or is empty. */
  prefix: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/**
 * Reads an address such as `s3://bucket/prefix`, with the keys for it.
 * @param what the address is: "The place of backups"
 * @throws StartError
 */
export function checkBucket(address: string, env: NodeJS.ProcessEnv, what = "The place of backups"): Bucket {
  const [, bucket, given = ""] = /^s3:\/\/([^/]+)(?:\/(.*))?$/.exec(address) ?? [];
  if (bucket === undefined)
    throw new StartError(`${what} is "${address}", expected a bucket such as s3://backups/parley.`, "configuration");
  const accessKeyId = env["AWS_ACCESS_KEY_ID"];
  const secretAccessKey = env["AWS_SECRET_ACCESS_KEY"];
  if (!accessKeyId || !secretAccessKey)
    throw new StartError(
      `${what} is "${address}", expected AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY with it.`,
      "configuration",
    );
  return { bucket, prefix: given === "" || given.endsWith("/") ? given : `${given}/`, accessKeyId, secretAccessKey };
}
