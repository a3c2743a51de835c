import { eq } from "drizzle-orm";
import { runBatch } from "../../src/db/batch.ts";
import { files, fileTexts, uploadParts, uploads } from "../../src/documents/files/tables.ts";
import { chunkStatements } from "../../src/documents/retrieval/store-chunks.ts";
import { fileChunks } from "../../src/documents/retrieval/tables.ts";
import { newId } from "../../src/lib/id.ts";
import type { World } from "../world.ts";

/** A file that was read: one passage. */
export async function addFile({ db, services }: World, userId: string, createdAt: number): Promise<string> {
  const id = newId();
  await services.blobs.put(`files/${id}`, new Uint8Array([1, 2, 3]));
  const said = { filename: "a.bin", contentType: "application/octet-stream", size: 3 };
  const text = { version: 1, sha256: "", length: 4, chunkCount: 1, createdAt };
  await db.insert(files).values({ id, userId, chatId: null, ...said, version: 1, createdAt });
  await services.blobs.put(`files/${id}/text/1`, new TextEncoder().encode("Ahoy"));
  await db.insert(fileTexts).values({ fileId: id, ...text });
  const passages = [{ text: "Ahoy", headings: [], page: null, label: null, start: 0, end: 4, tokens: 1 }];
  await runBatch(db, chunkStatements(db, { fileId: id, version: 1, firstPosition: 0, passages }));
  return id;
}

export async function passageOf({ db }: World, fileId: string): Promise<string> {
  const [found] = await db.select({ number: fileChunks.number }).from(fileChunks).where(eq(fileChunks.fileId, fileId));
  return String(found!.number);
}

/** An upload of nothing, in one part that is there. */
export async function addUpload({ db, services }: World, userId: string, createdAt: number): Promise<string> {
  const id = newId();
  const key = `files/${id}`;
  const storageId = await services.blobs.beginParts(key);
  const etag = await services.blobs.putPart(key, storageId, 1, new Uint8Array());
  const said = { filename: "a.txt", contentType: "", size: 0, partSize: 8 * 1024 * 1024 };
  const meta = { data: {}, process: true, contentType: "" };
  await db.batch([
    db.insert(uploads).values({ id, userId, key, storageId, ...said, meta, createdAt, expiresAt: createdAt + 900 }),
    db.insert(uploadParts).values({ uploadId: id, number: 1, size: 0, etag, sha256: "" }),
  ]);
  return id;
}
