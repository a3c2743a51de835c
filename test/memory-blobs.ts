import type { Blobs } from "../src/ports.ts";

/** Object storage in memory. */
export function createMemoryBlobs(): Blobs & { stored: Map<string, Uint8Array<ArrayBuffer>> } {
  const stored = new Map<string, Uint8Array<ArrayBuffer>>();
  return {
    stored,
    async put(key, bytes) {
      stored.set(key, new Uint8Array(await new Response(bytes as BodyInit).arrayBuffer()));
    },
    async get(key) {
      const found = stored.get(key);
      return found ? { body: new Response(found).body!, size: found.length } : undefined;
    },
    async delete(keys) {
      for (const key of keys) stored.delete(key);
    },
  };
}
