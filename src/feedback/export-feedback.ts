import { and, desc, eq, lt, sql } from "drizzle-orm";
import { heldCredential, requireAdmin, type User } from "../access.ts";
import type { Context } from "../context.ts";
import { csvLine } from "../lib/csv.ts";
import { resolveActorById } from "../people/auth/resolve-actor.ts";
import { users } from "../people/users/tables.ts";
import { feedbackViewOf } from "./feedback-rows.ts";
import { whereOf } from "./list-feedback.ts";
import type { FeedbackFilter, FeedbackView } from "./schema.ts";
import { feedback } from "./tables.ts";

/** Rows read at once: with conversations they are large. */
const pageSize = 20;
const csvPageSize = 1000;

/**
 * All ratings with their conversations, newest first. The caller's permission is checked again before each page.
 * @throws AppError `forbidden`
 */
export async function exportFeedback(ctx: Context, filter: FeedbackFilter): Promise<AsyncIterable<FeedbackView>> {
  const user = requireAdmin(ctx);
  const read = (after: string | undefined) =>
    ctx.db
      .select()
      .from(feedback)
      .where(and(whereOf(filter), after === undefined ? undefined : lt(feedback.id, after)))
      .orderBy(desc(feedback.id))
      .limit(pageSize);
  // Read before the answer begins, so that a database that is away is an error and no empty file.
  const first = await read(undefined);
  return (async function* () {
    for (let rows = first; ; rows = await read(rows.at(-1)!.id)) {
      yield* rows.map(feedbackViewOf);
      if (rows.length < pageSize) return;
      await stillAdmin(ctx, user);
    }
  })();
}

const columns = {
  id: feedback.id,
  at: feedback.createdAt,
  userId: feedback.userId,
  name: users.name,
  email: users.email,
  organizationId: feedback.organizationId,
  modelId: feedback.modelId,
  rating: feedback.rating,
  data: feedback.data,
  hasChat: sql<number>`${feedback.snapshot} IS NOT NULL`,
};
type CsvRow = { [K in keyof typeof columns]: (typeof columns)[K] extends { _: { data: infer T } } ? T : never };

const head = csvLine([
  "time",
  "person_id",
  "person_name",
  "person_email",
  "organization_id",
  "model",
  "rating",
  "score",
  "reason",
  "tags",
  "comment",
  "chat_shared",
  "id",
]);

/** The same as CSV, without conversations. @throws AppError `forbidden` */
export async function exportFeedbackCsv(ctx: Context, filter: FeedbackFilter): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder();
  const user = requireAdmin(ctx);
  const read = (after: string | undefined) =>
    ctx.db
      .select(columns)
      .from(feedback)
      .innerJoin(users, eq(users.id, feedback.userId))
      .where(and(whereOf(filter), after === undefined ? undefined : lt(feedback.id, after)))
      .orderBy(desc(feedback.id))
      .limit(csvPageSize);
  let next: Awaited<ReturnType<typeof read>> | undefined = await read(undefined);
  let after: string | undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const text = after === undefined ? head : "";
        if (!next) await stillAdmin(ctx, user);
        const rows = next ?? (await read(after));
        next = undefined;
        after = rows.at(-1)?.id ?? "";
        controller.enqueue(encoder.encode(text + rows.map((row) => toCsvLine(row as CsvRow)).join("")));
        if (rows.length < csvPageSize) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

function toCsvLine(row: CsvRow): string {
  const { reason, tags, comment, details } = row.data as Record<string, unknown>;
  const score = (details as { rating?: unknown } | null | undefined)?.rating;
  const text = (value: unknown) => (typeof value === "string" ? value : null);
  return csvLine([
    new Date(row.at * 1000).toISOString(),
    row.userId,
    row.name,
    row.email,
    row.organizationId,
    row.modelId,
    row.rating,
    typeof score === "number" ? score : null,
    text(reason),
    Array.isArray(tags) ? tags.join(", ") : null,
    text(comment),
    row.hasChat ? "yes" : "no",
    row.id,
  ]);
}

async function stillAdmin(ctx: Context, user: User): Promise<void> {
  requireAdmin(await resolveActorById(ctx, heldCredential(user)));
}
