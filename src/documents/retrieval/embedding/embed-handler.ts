import { sql, type SQL } from "drizzle-orm";
import type { Services } from "../../../context.ts";
import { JobFailure } from "../../../jobs/job-failure.ts";
import type { Job, JobHandler, JobRun } from "../../../jobs/job-handler.ts";
import type { FileFailure } from "../../files/extraction/extractor.ts";
import { failFileStatements } from "../../files/fail-file.ts";
import { FileProgress } from "../../files/processing/file-progress.ts";
import { publishFileState } from "../../files/publish-file-state.ts";
import { swapText } from "../../files/swap-text.ts";
import { embedFile } from "./embed-file.ts";
import { EmbeddingFailure } from "./embedding-failure.ts";

/** How often what only an administrator can mend is tried, without anything coming forward between. */
const maxHopelessTries = 3;
/** How often a text is looked at anew because the index has become another meanwhile. */
const maxRounds = 5;

/** Embeds the passages of a file's new text, and lets it count when each has its vector. */
export const embedHandler: JobHandler = {
  async run(services, job, run) {
    const text = await findText(services, job.subject);
    if (!text) return;
    for (let round = 1; round <= maxRounds; round++) {
      await embed(services, job, run, text);
      if (await swapText(services, text)) return;
    }
    throw new JobFailure("embedding_failed", "The index kept changing while the file was embedded");
  },
  failed(services, job, reason, condition) {
    const [texts, file] = failFileStatements(services, job.subject, reason, condition);
    return [
      ...(texts ? [texts] : []),
      withLastFailure(services, job.subject, reason, condition),
      ...(file ? [file] : []),
    ];
  },
  told: (services, job) => publishFileState(services, job.subject),
};

interface Text {
  fileId: string;
  userId: string;
  version: number;
  chunkCount: number;
  /** Passages that have vectors already. */
  embedded: number;
  /** Whether the try before this one failed for what only an administrator can mend. */
  isHopeless: 0 | 1;
}

async function embed(services: Services, job: Job, run: JobRun, text: Text): Promise<void> {
  const progress = new FileProgress(services, { id: text.fileId, userId: text.userId }, run, true);
  let done = text.embedded;
  try {
    await embedFile(services, text, {
      signal: run.signal,
      onStored: (count) => {
        done = Math.min(done + count, text.chunkCount);
        progress.say("embedding", done, text.chunkCount, "chunks");
      },
    });
  } catch (error) {
    if (!(error instanceof EmbeddingFailure)) throw error;
    const isHopeless = error.remedy === "none";
    // Should the time end before the next try, this is why.
    await services.db.run(sql`
      UPDATE files SET error = ${error.message.slice(0, 1000)}, error_code = ${isHopeless ? "embedding_failed" : null}
      WHERE id = ${text.fileId} AND state = 'pending' AND ${run.held}`);
    throw new JobFailure("embedding_failed", error.message, {
      final: isHopeless && text.isHopeless === 1 && job.attempts >= maxHopelessTries,
      ...(error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter }),
      cause: error,
    });
  }
}

/** Where the time has ended, what the provider did last says more than that. */
function withLastFailure(
  { db, now }: Services,
  fileId: string,
  { code, message }: { code: FileFailure; message: string },
  condition: SQL,
) {
  return db.run(sql`
    UPDATE files SET state = 'failed', stage = NULL, error_code = 'embedding_failed', error = ${message} || ': ' || error, updated_at = ${now()}
    WHERE id = ${fileId} AND state = 'pending' AND error IS NOT NULL AND ${code} = 'file_timeout' AND ${condition}`);
}

/** The newest text of a file that is pending, all of whose passages are stored. */
async function findText({ db }: Pick<Services, "db">, fileId: string): Promise<Text | undefined> {
  const [row] = await db.all<Text>(sql`
    SELECT f.id AS fileId, f.user_id AS userId, t.version, t.chunk_count AS chunkCount, f.error_code IS 'embedding_failed' AS isHopeless, (
      SELECT count(*) FROM file_chunks c
      JOIN chunk_vectors v ON v.chunk = c.number AND v.space_id = (SELECT id FROM embedding_spaces WHERE state = 'serving')
      WHERE c.file_id = f.id AND c.version = t.version) AS embedded
    FROM files f JOIN file_texts t ON t.file_id = f.id AND t.version > f.version
    WHERE f.id = ${fileId} AND f.state = 'pending' AND t.chunk_count IS NOT NULL
    ORDER BY t.version DESC LIMIT 1`);
  return row;
}
