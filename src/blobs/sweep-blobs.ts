import { inArray } from "drizzle-orm";
import type { Services } from "../context.ts";
import { droppedBlobs } from "./tables.ts";

/** So many at once: what object storage takes in one request. */
const maxBlobs = 1000;

/** Takes away what nothing points at any more. For the timer; @returns how many there were. */
export async function sweepBlobs(services: Pick<Services, "db" | "blobs">): Promise<number> {
  let count = 0;
  for (;;) {
    const rows = await services.db.select().from(droppedBlobs).limit(maxBlobs);
    const keys = rows.map(({ key }) => key);
    if (keys.length === 0) return count;
    await services.blobs.delete(keys);
    await services.db.delete(droppedBlobs).where(inArray(droppedBlobs.key, keys));
    count += keys.length;
    if (keys.length < maxBlobs) return count;
  }
}
