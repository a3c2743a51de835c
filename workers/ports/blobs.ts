import type { Blobs } from "../../src/ports.ts";
import type { Env } from "../env.ts";

/** The bucket behind the port that verbs know. */
export function createBlobs(env: Pick<Env, "BLOBS">): Blobs {
  return {
    async put(key, bytes) {
      await env.BLOBS.put(key, bytes);
    },
    async get(key, range) {
      const found = await env.BLOBS.get(key, range ? { range } : {});
      return found ? { body: found.body, size: found.size } : undefined;
    },
    async delete(keys) {
      if (keys.length > 0) await env.BLOBS.delete([...keys]);
    },
    async beginParts(key) {
      return (await env.BLOBS.createMultipartUpload(key)).uploadId;
    },
    async putPart(key, storageId, number, bytes) {
      return (await env.BLOBS.resumeMultipartUpload(key, storageId).uploadPart(number, bytes)).etag;
    },
    async joinParts(key, storageId, parts) {
      const all = parts.map(({ number, etag }) => ({ partNumber: number, etag }));
      await env.BLOBS.resumeMultipartUpload(key, storageId).complete(all);
    },
    async dropParts(key, storageId) {
      // R2 has no other way to say that it knows of none.
      await env.BLOBS.resumeMultipartUpload(key, storageId)
        .abort()
        .catch(() => undefined);
    },
  };
}
