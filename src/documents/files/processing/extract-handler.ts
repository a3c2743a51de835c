import { sql } from "drizzle-orm";
import type { Context, Services } from "../../../context.ts";
import type { Job, JobHandler, JobRun } from "../../../jobs/job-handler.ts";
import { serviceContext } from "../../../people/auth/service-context.ts";
import { followSettings } from "../../retrieval/embedding/spaces.ts";
import { ExtractorLost } from "../extraction/extractor.ts";
import { failFileStatements } from "../fail-file.ts";
import { publishFileState } from "../publish-file-state.ts";
import { chunkStored } from "./chunk-stored.ts";
import { endReading } from "./end-reading.ts";
import { lostFailure } from "./lost-failure.ts";
import { readDocument } from "./read-file-text.ts";

/** A file that is to be read, as the work needs it. */
export interface FileToRead {
  id: string;
  userId: string;
  filename: string;
  contentType: string;
  size: number;
  /** A text that somebody wrote, complete in object storage, and waits to be cut into passages; null where the file itself is read. */
  given: number | null;
}

/** What came of it. */
export interface ReadText {
  version: number;
  chunkCount: number;
  /** Undefined for a text whose facts are stored already. */
  facts: { sha256: string; length: number; pageCount: number | null; uploadId: string } | undefined;
}

/** What reading a file takes along. */
export interface Reading {
  ctx: Context;
  job: Job;
  run: JobRun;
  file: FileToRead;
}

/** Reads a file: text to object storage, passages to the database. Then it counts, or is embedded first. */
export const extractHandler: JobHandler = {
  async run(services, job, run) {
    const file = await findPending(services, job.subject);
    if (!file) return;
    const ctx = await serviceContext(services);
    // Before there are passages: where there are none, a model that was just chosen serves at once.
    await followSettings(ctx);
    const reading: Reading = { ctx, job, run, file };
    await endReading(reading, await readOrChunk(reading));
  },
  failed: (services, job, reason, condition) => failFileStatements(services, job.subject, reason, condition),
  told: (services, job) => publishFileState(services, job.subject),
};

async function readOrChunk(reading: Reading): Promise<ReadText> {
  const { given: version } = reading.file;
  try {
    if (version === null) return await readDocument(reading);
    return { version, chunkCount: await chunkStored(reading, version, []), facts: undefined };
  } catch (error) {
    throw error instanceof ExtractorLost ? lostFailure(error) : error;
  }
}

async function findPending(services: Services, id: string): Promise<FileToRead | undefined> {
  const [row] = await services.db.all<{
    id: string;
    user_id: string;
    filename: string;
    content_type: string;
    size: number;
    given: number | null;
  }>(sql`
    SELECT f.id, f.user_id, f.filename, f.content_type, f.size, (
      SELECT max(t.version) FROM file_texts t WHERE t.file_id = f.id AND t.version > f.version AND t.given AND t.sha256 IS NOT NULL) AS given
    FROM files f WHERE f.id = ${id} AND f.state = 'pending'`);
  if (!row) return undefined;
  const { user_id: userId, content_type: contentType, ...rest } = row;
  return { ...rest, userId, contentType };
}
