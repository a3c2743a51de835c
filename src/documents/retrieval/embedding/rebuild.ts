import { eq, sql } from "drizzle-orm";
import type { Context, Services } from "../../../context.ts";
import { JobFailure } from "../../../jobs/job-failure.ts";
import type { JobHandler, JobRun } from "../../../jobs/job-handler.ts";
import { serviceContext } from "../../../people/auth/service-context.ts";
import { ExtractorLost } from "../../files/extraction/extractor.ts";
import { arrangeCells } from "../arrange-cells.ts";
import { embeddingSpaces } from "../tables.ts";
import { dropVectors } from "../vectors.ts";
import { EmbeddingFailure } from "./embedding-failure.ts";
import { fillSpace } from "./fill-space.ts";
import { followSettings, type Space } from "./spaces.ts";

/** Vectors that are taken away between two looks at whether it is still wanted. */
const droppedAtOnce = 2000;
/** What only an administrator can mend is looked at again after so many seconds. */
const retrySeconds = 60;

/**
 * Brings the spaces to what they are to be: takes away what was dropped, fills what serves and what is being built, cuts them into
 * cells, and lets the latter serve when nothing is missing from it. It may stop anywhere, and goes on from there.
 */
export const rebuildHandler: JobHandler = {
  async run(services, _job, run) {
    const ctx = await serviceContext(services);
    await followSettings(ctx);
    let failure: EmbeddingFailure | undefined;
    do {
      failure = await fill(ctx, "serving", run);
      await takeAway(ctx, run);
      failure = (await fill(ctx, "building", run)) ?? failure;
    } while (!failure && (await isLeft(services)));
    if (!failure) return;
    const retryAfter = failure.remedy === "none" ? retrySeconds : failure.retryAfter;
    throw new JobFailure("embedding_failed", failure.message, {
      ...(retryAfter === undefined ? {} : { retryAfter }),
      cause: failure,
    });
  },
};

async function spacesThatAre({ db }: Pick<Services, "db">, state: Space["state"]): Promise<Space[]> {
  return db.select().from(embeddingSpaces).where(eq(embeddingSpaces.state, state));
}

async function isLeft({ db }: Pick<Services, "db">): Promise<boolean> {
  const rows = await db
    .select({ id: embeddingSpaces.id })
    .from(embeddingSpaces)
    .where(sql`${embeddingSpaces.state} <> 'serving'`)
    .limit(1);
  return rows.length > 0;
}

async function takeAway(ctx: Context, run: JobRun): Promise<void> {
  for (const { id } of await spacesThatAre(ctx, "dropped")) {
    while (await dropVectors(ctx, id, droppedAtOnce)) {
      run.signal.throwIfAborted();
      run.progress([], true);
    }
  }
}

/** @returns why a space is not full; that is written down with it */
async function fill(ctx: Context, state: "serving" | "building", run: JobRun): Promise<EmbeddingFailure | undefined> {
  for (const space of await spacesThatAre(ctx, state)) {
    try {
      await fillSpace(ctx, space, "all", { signal: run.signal, onStored: () => run.progress([], true) });
      await arrange(ctx, space, run);
      if (state === "building") await serve(ctx, space);
    } catch (error) {
      if (!(error instanceof EmbeddingFailure)) throw error;
      await ctx.db
        .update(embeddingSpaces)
        .set({ error: error.message.slice(0, 1000) })
        .where(eq(embeddingSpaces.id, space.id));
      return error;
    }
  }
  return undefined;
}

/** A large index is cut into cells. Without them it is slow, and nothing worse. */
async function arrange(ctx: Context, { id }: Space, run: JobRun): Promise<void> {
  try {
    await arrangeCells(ctx, id, { signal: run.signal, onMoved: () => run.progress([], true) });
  } catch (error) {
    if (!(error instanceof ExtractorLost)) throw error;
    ctx.log.warn("could not partition an index, it is searched as a whole", { space: id, error });
  }
}

/** The new one takes the place of the old one, at once, unless a passage has come that it has no vector for. */
async function serve({ db }: Pick<Context, "db">, { id }: Space): Promise<void> {
  const isBuilding = sql`EXISTS (SELECT 1 FROM embedding_spaces WHERE id = ${id} AND state = 'building')`;
  const isMissing = sql`EXISTS (
    SELECT 1 FROM files f JOIN file_chunks c ON c.file_id = f.id AND c.version = f.version
    WHERE NOT EXISTS (SELECT 1 FROM chunk_vectors v WHERE v.space_id = ${id} AND v.chunk = c.number))`;
  await db.run(sql`
    UPDATE embedding_spaces SET state = CASE WHEN id = ${id} THEN 'serving' ELSE 'dropped' END, error = NULL
    WHERE (id = ${id} OR state = 'serving') AND ${isBuilding} AND NOT ${isMissing}`);
}
