import { StartError } from "../launch/start-error.ts";
import type { Place } from "./place.ts";
import { checkBucket } from "./s3-address.ts";
import { s3Client } from "./s3-client.ts";

/** Of a part: S3 takes 10,000 of at least 5 MiB, so this is enough for 320 GB. */
const partBytes = 2 ** 25;

interface Request {
  method: "GET" | "PUT" | "POST" | "DELETE";
  query?: Record<string, string>;
  body?: Buffer | string;
}

/**
 * A bucket, or a folder of one, with the usual variables of AWS.
 * @param address such as `s3://bucket/prefix`
 * @throws StartError when it is not one, or there are no keys
 */
export function s3Place(address: string, env: NodeJS.ProcessEnv): Place {
  const place = checkBucket(address, env);
  const { bucket, prefix } = place;
  const { client, urlOf } = s3Client(place, env);

  async function ask(key: string, { method, query = {}, body }: Request): Promise<Response> {
    const url = `${urlOf(key)}?${new URLSearchParams(query)}`;
    const failed = (reason: string) =>
      new StartError(
        `${address} did not take the backup (${reason}). Check the bucket, the keys and the address.`,
        "unavailable",
      );
    const response = await client
      .fetch(url.replace(/\?$/, ""), {
        method,
        ...(body === undefined ? {} : { body: new Uint8Array(Buffer.from(body)) }),
      })
      .catch((error: unknown) => {
        const { message, cause } = error as Error;
        throw failed(cause instanceof Error ? cause.message : message);
      });
    if (response.ok) return response;
    const said = await response.text();
    throw failed(`${response.status} ${tagOf(said, "Code") ?? response.statusText}`);
  }

  async function writeParts(key: string, first: Buffer, others: AsyncIterator<Buffer>): Promise<number> {
    const begun = await ask(key, { method: "POST", query: { uploads: "" } });
    const uploadId = tagOf(await begun.text(), "UploadId") ?? "";
    const etags: string[] = [];
    let size = 0;
    try {
      for (
        let part: Buffer | undefined = first;
        part !== undefined;
        part = (await others.next()).value as Buffer | undefined
      ) {
        const query = { partNumber: String(etags.length + 1), uploadId };
        const { headers } = await ask(key, { method: "PUT", query, body: part });
        etags.push(headers.get("etag") ?? "");
        size += part.length;
      }
      const parts = etags.map(
        (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`,
      );
      const body = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
      // S3 may say only in the body that it failed.
      const said = await (await ask(key, { method: "POST", query: { uploadId }, body })).text();
      const code = tagOf(said, "Code");
      if (code !== undefined) throw new StartError(`${address} did not take the backup (${code}).`, "unavailable");
      return size;
    } catch (error) {
      await ask(key, { method: "DELETE", query: { uploadId } }).catch(() => undefined);
      throw error;
    }
  }

  return {
    async write(name, bytes) {
      const parts = inParts(bytes);
      const first = ((await parts.next()).value as Buffer | undefined) ?? Buffer.alloc(0);
      if (first.length >= partBytes) return writeParts(prefix + name, first, parts);
      await ask(prefix + name, { method: "PUT", body: first });
      return first.length;
    },
    async list() {
      const names: string[] = [];
      let token: string | undefined;
      do {
        const query = { "list-type": "2", prefix, ...(token === undefined ? {} : { "continuation-token": token }) };
        const said = await (await ask("", { method: "GET", query })).text();
        for (const [, key = ""] of said.matchAll(/<Key>([^<]*)<\/Key>/g)) names.push(key.slice(prefix.length));
        token = tagOf(said, "NextContinuationToken");
      } while (token !== undefined);
      return names;
    },
    remove: async (name) => void (await ask(prefix + name, { method: "DELETE" })),
    describe: (name) => `s3://${bucket}/${prefix}${name}`,
  };
}

const tagOf = (xml: string, name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];

/** Parts of `partBytes`; only the last one is smaller. */
async function* inParts(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    held.push(chunk);
    size += chunk.length;
    while (size >= partBytes) {
      const all = Buffer.concat(held);
      yield all.subarray(0, partBytes);
      held = [all.subarray(partBytes)];
      size -= partBytes;
    }
  }
  if (size > 0) yield Buffer.concat(held);
}
