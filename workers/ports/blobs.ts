import { AppError } from "../../src/errors.ts";
import type { Blobs, Machine } from "../../src/ports.ts";
import type { Env } from "../env.ts";

/** So many bytes stay free for what a write takes besides its own. */
const spareBytes = 4_000_000;

/**
 * The bucket as the port for verbs.
 * @param machine tells how full the disk is: the bucket of one machine does not answer a write for which there is no room
 */
export function createBlobs(env: Pick<Env, "BLOBS">, machine?: Pick<Machine, "freeBytes">): Blobs {
  /** @throws AppError `disk_full` */
  async function requireRoom(size: number): Promise<void> {
    const free = await machine?.freeBytes().catch(() => undefined);
    if (free === undefined || free >= size + spareBytes) return;
    throw new AppError("disk_full", "The disk of the service is full: nothing can be stored");
  }
  return {
    async put(key, bytes) {
      await requireRoom(bytes.length);
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
      await requireRoom(bytes.length);
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
