import { count, eq, sql } from "drizzle-orm";
import { requireAdmin } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import { files, type fileStates } from "../../files/tables.ts";
import { embeddingSpaces } from "../tables.ts";
import type { RetrievalStatus } from "./schema.ts";
import { spacesIn } from "./spaces.ts";

/** How the index stands, for administrators; one round trip. @throws AppError `forbidden` */
export async function getStatus(ctx: Context): Promise<RetrievalStatus> {
  requireAdmin(ctx);
  const { db } = ctx;
  const model = ctx.settings.RAG_EMBEDDING_MODEL.trim();
  const [rows, states, [vectors]] = await db.batch([
    db.select().from(embeddingSpaces),
    db
      .select({ state: files.state, count: count(), chunks: sql<number>`sum(${files.chunkCount})` })
      .from(files)
      .groupBy(files.state),
    // Only what is being filled has to be counted.
    db.all<{ count: number }>(sql`
      SELECT count(*) AS count FROM chunk_vectors v JOIN file_chunks c ON c.number = v.chunk JOIN files f ON f.id = c.file_id AND f.version = c.version
      WHERE v.space_id = (SELECT ${embeddingSpaces.id} FROM ${embeddingSpaces} WHERE ${eq(embeddingSpaces.state, "building")})`),
  ]);
  const { serving, building } = spacesIn(rows);
  const chosen = [building, serving].find((space) => space?.model === model);
  const total = states.reduce((sum, { chunks }) => sum + chunks, 0);
  const of = (state: (typeof fileStates)[number]) => states.find((row) => row.state === state)?.count ?? 0;
  return {
    embedding: {
      model: model || null,
      dimension: chosen?.dimension ?? null,
      state: model === "" ? "off" : chosen && chosen === serving ? "serving" : "building",
      serving_model: serving?.model ?? null,
      done: chosen === undefined ? 0 : chosen === serving ? total : (vectors?.count ?? 0),
      total,
      error: chosen?.error ?? null,
    },
    keyword_only: !serving,
    files: { stored: of("stored"), pending: of("pending"), completed: of("completed"), failed: of("failed") },
  };
}
