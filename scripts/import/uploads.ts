import { createReadStream, existsSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import type { Uploads } from "../../src/shared/moving-in/row-source.ts";
import { checkBucket } from "../backup/s3-address.ts";
import { s3Client } from "../backup/s3-client.ts";
import { hashFile } from "../export/hash-file.ts";
import { StartError } from "../launch/start-error.ts";

/**
 * The uploads of Open WebUI: a folder, or a bucket. Only the names in the rows' paths count: the folders are those of the other machine.
 * @throws StartError
 */
export function openUploads(place: string | undefined, env: NodeJS.ProcessEnv): Uploads {
  if (place === undefined) return { open: async () => undefined };
  if (place.startsWith("s3://")) return bucketUploads(place, env);
  if (!existsSync(place) || !statSync(place).isDirectory())
    throw new StartError(`--uploads is ${place}, which is not a folder.`, "noInput");
  return folderUploads(realpathSync(place));
}

/** The last part of a path or address, on any system. */
function nameOf(given: string): string {
  return given.split(/[/\\]/).at(-1)!;
}

function folderUploads(folder: string): Uploads {
  return {
    async open(given) {
      const name = nameOf(given);
      if (name === "" || name === "." || name === "..") return undefined;
      const file = path.join(folder, name);
      if (!existsSync(file)) return undefined;
      // A link may lead out of the folder, to whatever this person may read.
      const real = realpathSync(file);
      if (path.dirname(real) !== folder || !statSync(real).isFile()) return undefined;
      const { size } = statSync(real);
      const body = Readable.toWeb(createReadStream(real)) as unknown as ReadableStream<Uint8Array>;
      return { size, body, sha256: () => hashFile(real) };
    },
  };
}

function bucketUploads(address: string, env: NodeJS.ProcessEnv): Uploads {
  const bucket = checkBucket(address, env, "--uploads");
  const { client, urlOf } = s3Client(bucket, env);
  return {
    async open(given) {
      const answer = await client.fetch(urlOf(bucket.prefix + nameOf(given)));
      if (answer.ok && answer.body) return { size: Number(answer.headers.get("content-length")), body: answer.body };
      await answer.body?.cancel();
      if (answer.status === 404) return undefined;
      throw new StartError(
        `${address} answers ${answer.status}. Check the bucket, the keys and the address.`,
        "unavailable",
      );
    },
  };
}
