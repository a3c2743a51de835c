import type { Blobs } from "../src/ports.ts";
import type { Env } from "./env.ts";

/** The bucket behind the port that verbs know. */
export function createBlobs(env: Pick<Env, "BLOBS">): Blobs {
  return {
    async put(key, bytes) {
      await env.BLOBS.put(key, bytes);
    },
    async get(key) {
      const found = await env.BLOBS.get(key);
      return found ? { body: found.body, size: found.size } : undefined;
    },
    async delete(keys) {
      if (keys.length > 0) await env.BLOBS.delete([...keys]);
    },
  };
}
