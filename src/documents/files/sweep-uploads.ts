import { inArray, lte, sql } from "drizzle-orm";
import type { Services } from "../../context.ts";
import { droppedUploads, uploads } from "./tables.ts";

/** So many at once. */
const maxUploads = 100;

/**
 * Ends abandoned uploads, and deletes their objects unless they became a file, or a text that differs from its file. For the timer.
 * @returns how many there were.
 */
export async function sweepUploads(services: Pick<Services, "db" | "blobs" | "now">): Promise<number> {
  const { db, blobs } = services;
  await db.delete(uploads).where(lte(uploads.expiresAt, services.now()));
  let count = 0;
  for (;;) {
    const rows = await db.select().from(droppedUploads).limit(maxUploads);
    if (rows.length === 0) return count;
    const keys = JSON.stringify(rows.map(({ key }) => key));
    const used = await db.all<{ key: string }>(sql`
      SELECT k.value AS key FROM json_each(${keys}) k
      WHERE EXISTS (SELECT 1 FROM files f WHERE 'files/' || f.id = k.value AND f.id = substr(k.value, 7))
        OR EXISTS (SELECT 1 FROM uploads u WHERE u.key = k.value)
        OR EXISTS (SELECT 1 FROM file_texts t JOIN files f ON f.id = t.file_id
          WHERE t.file_id = substr(k.value, 7, instr(substr(k.value, 7), '/') - 1)
            AND 'files/' || t.file_id || '/text/' || t.version = k.value AND coalesce(t.sha256 <> f.sha256, 1))`);
    const isUsed = new Set(used.map(({ key }) => key));
    await Promise.all(rows.map(({ key, storageId }) => blobs.dropParts(key, storageId)));
    await blobs.delete(rows.map(({ key }) => key).filter((key) => !isUsed.has(key)));
    const ids = rows.map(({ storageId }) => storageId);
    await db.delete(droppedUploads).where(inArray(droppedUploads.storageId, ids));
    count += rows.length;
    if (rows.length < maxUploads) return count;
  }
}
