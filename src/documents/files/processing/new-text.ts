import { sql } from "drizzle-orm";
import type { Services } from "../../../context.ts";
import { JobFailure } from "../../../jobs/job-failure.ts";
import type { JobRun } from "../../../jobs/job-handler.ts";
import { newId } from "../../../lib/id.ts";
import { textKey } from "../blob-keys.ts";
import { PartWriter } from "../part-writer.ts";

/** What is known of a text when all of it is stored. */
export interface TextFacts {
  /** Of its UTF-8 bytes, hexadecimal. */
  sha256: string;
  /** UTF-16 units. */
  length: number;
}

/** How long after the deadline what was left in object storage is taken away, seconds. */
const graceSeconds = 60;

/** A text of a file while it is written to object storage. */
export class NewText {
  readonly version: number;
  /** Row of `uploads` by which its bytes are known until it is complete. */
  readonly uploadId: string;
  readonly #writer: PartWriter;
  readonly #encoder = new TextEncoder();
  #length = 0;
  #half = "";
  #hasLetters = false;

  /** Made by `beginText`. */
  constructor(services: Services, fileId: string, version: number, uploadId: string) {
    this.version = version;
    this.uploadId = uploadId;
    this.#writer = new PartWriter(services.blobs, {
      key: textKey(fileId, version),
      expected: 64 * 1024,
      onBegin: async (storageId) => {
        await services.db.run(sql`UPDATE uploads SET storage_id = ${storageId} WHERE id = ${uploadId}`);
      },
    });
  }

  /** UTF-16 units so far. */
  get length(): number {
    return this.#length;
  }

  /** Whether anything but blanks has come. */
  get hasLetters(): boolean {
    return this.#hasLetters;
  }

  async write(text: string): Promise<void> {
    this.#length += text.length;
    this.#hasLetters ||= /\S/.test(text);
    const whole = this.#half + text;
    const last = whole.charCodeAt(whole.length - 1);
    const cut = last >= 0xd800 && last < 0xdc00 ? whole.length - 1 : whole.length;
    this.#half = whole.slice(cut);
    if (cut > 0) await this.#writer.write(this.#encoder.encode(whole.slice(0, cut)));
  }

  async finish(): Promise<TextFacts> {
    if (this.#half !== "") await this.#writer.write(this.#encoder.encode(this.#half));
    const { sha256 } = await this.#writer.finish();
    return { sha256, length: this.#length };
  }
}

/**
 * Begins the next text of a file; those that were begun before and never counted go. One round trip.
 * @throws JobFailure where the job is somebody else's now
 */
export async function beginText(
  services: Services,
  file: { id: string; userId: string },
  run: Pick<JobRun, "held">,
  deadline: number,
): Promise<NewText> {
  const { db } = services;
  const { id, userId } = file;
  const { held } = run;
  const uploadId = newId();
  const now = services.now();
  const expiresAt = Math.ceil(deadline / 1000) + graceSeconds;
  const results = await db.batch([
    db.run(sql`
      DELETE FROM file_texts WHERE file_id = ${id} AND version > (SELECT version FROM files WHERE id = ${id}) AND ${held}`),
    db.run(sql`
      UPDATE files SET versions = max(versions, version) + 1, stage = 'extracting', progress_done = 0, progress_total = NULL, progress_unit = NULL
      WHERE id = ${id} AND state = 'pending' AND ${held}`),
    db.run(sql`
      INSERT INTO file_texts (file_id, version, given, created_at)
      SELECT id, versions, 0, ${now} FROM files WHERE id = ${id} AND state = 'pending' AND ${held}`),
    db.run(sql`
      INSERT INTO uploads (id, user_id, key, storage_id, filename, content_type, meta, created_at, expires_at)
      SELECT ${uploadId}, ${userId}, 'files/' || id || '/text/' || versions, ${uploadId}, '', '', '{}', ${now}, ${expiresAt}
      FROM files WHERE id = ${id} AND state = 'pending' AND ${held}`),
    db.all<{ versions: number }>(sql`SELECT versions FROM files WHERE id = ${id} AND state = 'pending' AND ${held}`),
  ]);
  const [row] = results[4];
  if (!row) throw new JobFailure("internal_error", "Another process is reading this file");
  return new NewText(services, id, row.versions, uploadId);
}
