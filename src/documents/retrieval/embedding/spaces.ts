import { sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Context, Services, Settings } from "../../../context.ts";
import { insertWhere } from "../../../db/insert-where.ts";
import { addJobStatement } from "../../../jobs/add-job.ts";
import { serviceContext } from "../../../people/auth/service-context.ts";
import { isArrangingDue } from "../arrange-cells.ts";
import { embeddingSpaces, fileChunks } from "../tables.ts";

export type Space = typeof embeddingSpaces.$inferSelect;

/** What searches use, and what is being filled to take its place. */
export interface Spaces {
  serving: Space | undefined;
  building: Space | undefined;
}

/** All spaces are looked after by one job. */
export const rebuildSubject = "spaces";

/** Nobody waits for it and it goes on as long as it takes; what ends at last is begun anew by the timer. Milliseconds. */
const rebuildTimeoutMs = 7 * 86_400_000;

type SpaceContext = Pick<Context, "db" | "jobs" | "settings" | "now">;

/** The job that fills, swaps and takes away; begins anew where it is under way. For a batch. */
export function rebuildStatement(services: Pick<Services, "db">, condition?: SQL) {
  const deadline = Date.now() + rebuildTimeoutMs;
  return addJobStatement(services, {
    kind: "rebuild",
    subject: rebuildSubject,
    userId: null,
    deadline,
    ...(condition ? { condition } : {}),
  });
}

/**
 * Makes the spaces follow the settings: another model (or prefix) is another space, which is filled while the old one serves;
 * without a model all go. One read where nothing has to be done.
 * @param settings those in force, where they are newer than the context
 */
export async function followSettings(ctx: SpaceContext, settings = ctx.settings): Promise<Spaces> {
  const { model, prefix, queryPrefix } = wantedSpace(settings);
  const { db } = ctx;
  const spaces = spacesIn(await db.select().from(embeddingSpaces));
  if (model === "" ? !spaces.serving && !spaces.building : isWanted(spaces, { model, prefix, queryPrefix }))
    return spaces;

  const fits = sql`${embeddingSpaces.model} = ${model} AND ${embeddingSpaces.prefix} = ${prefix}`;
  const missing = sql`NOT EXISTS (SELECT 1 FROM ${embeddingSpaces} WHERE ${embeddingSpaces.state} <> 'dropped' AND ${fits})`;
  const isEmpty = sql`NOT EXISTS (SELECT 1 FROM ${fileChunks})`;
  const set = (state: Space["state"], where: SQL) =>
    db.update(embeddingSpaces).set({ state, error: null }).where(where);
  const changes =
    model === ""
      ? ([set("dropped", sql`${embeddingSpaces.state} <> 'dropped'`)] as const)
      : ([
          set("dropped", sql`${embeddingSpaces.state} = 'building' AND NOT (${fits})`),
          // What is left of an earlier time with this model need not be made again.
          set(
            "building",
            sql`${embeddingSpaces.id} = (SELECT max(id) FROM ${embeddingSpaces} WHERE ${embeddingSpaces.state} = 'dropped' AND ${fits}) AND ${missing}`,
          ),
          insertWhere(
            db,
            embeddingSpaces,
            { model, prefix, queryPrefix, state: "building", createdAt: ctx.now() },
            missing,
          ),
          db
            .update(embeddingSpaces)
            .set({ queryPrefix })
            .where(sql`${embeddingSpaces.state} <> 'dropped' AND ${fits}`),
          // Where there is nothing to fill it with it serves at once.
          set(
            "dropped",
            sql`${embeddingSpaces.state} = 'serving' AND ${isEmpty} AND EXISTS (SELECT 1 FROM ${embeddingSpaces} WHERE ${embeddingSpaces.state} = 'building')`,
          ),
          set("serving", sql`${embeddingSpaces.state} = 'building' AND ${isEmpty}`),
        ] as const);
  const results = await db.batch([...changes, rebuildStatement(ctx), db.select().from(embeddingSpaces)]);
  await ctx.jobs.wake("rebuild");
  return spacesIn(results.at(-1) as Space[]);
}

interface WantedSpace {
  /** Empty for none. */
  model: string;
  prefix: string;
  queryPrefix: string;
}

function wantedSpace(settings: Settings): WantedSpace {
  return {
    model: settings.RAG_EMBEDDING_MODEL.trim(),
    prefix: settings.RAG_EMBEDDING_CONTENT_PREFIX,
    queryPrefix: settings.RAG_EMBEDDING_QUERY_PREFIX,
  };
}

/**
 * Begins an index of the model that is chosen anew, whatever there is of it; what serves goes on until that is complete.
 * @param also goes into the same batch
 */
export async function rebuildSpace(ctx: SpaceContext, also: BatchItem<"sqlite">): Promise<void> {
  const { db } = ctx;
  await db.batch([
    db
      .update(embeddingSpaces)
      .set({ state: "dropped" })
      .where(sql`${embeddingSpaces.state} = 'building'`),
    db.insert(embeddingSpaces).values({ ...wantedSpace(ctx.settings), state: "building", createdAt: ctx.now() }),
    also,
    rebuildStatement(ctx),
  ]);
  await ctx.jobs.wake("rebuild");
}

/**
 * For the timer: spaces follow the settings, those of the environment too; what has grown is cut into cells, and work that was
 * lost is promised again.
 */
export async function sweepSpaces(services: Services): Promise<void> {
  const { serving, building } = await followSettings(await serviceContext(services));
  const isDue = serving !== undefined && (await isArrangingDue(services, serving.id));
  const { db } = services;
  const isLeft = isDue
    ? sql`TRUE`
    : sql`EXISTS (SELECT 1 FROM ${embeddingSpaces} WHERE ${embeddingSpaces.state} <> 'serving')`;
  const isPromised = sql`EXISTS (SELECT 1 FROM jobs WHERE kind = 'rebuild' AND subject = ${rebuildSubject})`;
  await db.batch([rebuildStatement(services, sql`${isLeft} AND NOT ${isPromised}`)]);
  if (building || isDue) await services.jobs.wake("rebuild");
}

export function spacesIn(rows: readonly Space[]): Spaces {
  return {
    serving: rows.find(({ state }) => state === "serving"),
    building: rows.find(({ state }) => state === "building"),
  };
}

/** Whether nothing has to change: the one that is wanted is being built, or serves and nothing else is being built. */
function isWanted({ serving, building }: Spaces, wanted: WantedSpace): boolean {
  const space = building ?? serving;
  return space?.model === wanted.model && space.prefix === wanted.prefix && space.queryPrefix === wanted.queryPrefix;
}
