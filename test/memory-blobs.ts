import { newId } from "../src/lib/id.ts";
import type { Blobs } from "../src/ports.ts";

type Bytes = Uint8Array<ArrayBuffer>;

export interface MemoryBlobs extends Blobs {
  stored: Map<string, Bytes>;
  /** What is coming in parts, by the storage's id. */
  parts: Map<string, { key: string; parts: Map<number, Bytes> }>;
}

/** Object storage in memory; as strict about parts as R2. */
export function createMemoryBlobs(): MemoryBlobs {
  const stored: MemoryBlobs["stored"] = new Map();
  const uploads: MemoryBlobs["parts"] = new Map();
  const uploadOf = (key: string, storageId: string) => {
    const upload = uploads.get(storageId);
    if (upload?.key !== key) throw new Error("The specified multipart upload does not exist. (10024)");
    return upload.parts;
  };
  return {
    stored,
    parts: uploads,
    async put(key, bytes) {
      stored.set(key, new Uint8Array(await new Response(bytes as BodyInit).arrayBuffer()));
    },
    async get(key, range) {
      const found = stored.get(key);
      if (!found) return undefined;
      const wanted = range ? found.slice(range.offset, range.offset + range.length) : found;
      return { body: new Response(wanted).body!, size: found.length };
    },
    async delete(keys) {
      for (const key of keys) stored.delete(key);
    },
    async beginParts(key) {
      const storageId = newId();
      uploads.set(storageId, { key, parts: new Map() });
      return storageId;
    },
    async putPart(key, storageId, number, bytes) {
      uploadOf(key, storageId).set(number, bytes.slice());
      return `${storageId}-${number}-${bytes.length}`;
    },
    async joinParts(key, storageId, list) {
      const parts = uploadOf(key, storageId);
      const chosen = list.map(({ number }) => parts.get(number));
      if (chosen.some((part) => part === undefined)) throw new Error("One or more of the parts is missing. (10025)");
      const sizes = chosen.slice(0, -1).map((part) => part!.length);
      if (sizes.some((size) => size !== sizes[0] || size < 5 * 1024 * 1024))
        throw new Error("All non-trailing parts must have the same length. (10048)");
      stored.set(key, new Uint8Array(await new Response(new Blob(chosen as Bytes[])).arrayBuffer()));
      uploads.delete(storageId);
    },
    async dropParts(_key, storageId) {
      uploads.delete(storageId);
    },
  };
}
