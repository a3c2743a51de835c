import { sql, type SQL } from "drizzle-orm";
import { maxChats, removeSomeChats } from "../../chat/conversations/delete-chats.ts";
import type { Services } from "../../context.ts";
import { runBatch } from "../../db/batch.ts";
import { ownedTables, sharedFile } from "./owned.ts";

/** Rows that one transaction changes, and rows of large tables that one looks through. */
const atOnce = 500;
const looksAt = 2000;

/** An erasure under way. */
export interface Running {
  id: string;
  userId: string;
  subject: string;
  successorId: string;
  place: string;
  email: string;
  name: string;
}

/** What a slice of a step found: whether there may be more of it, and where the next one goes on. */
interface Slice {
  more: boolean;
  place?: string;
}
type Db = Services["db"];

/** A statement after one that changed something: adds to the report, in the same batch. */
function count(db: Db, { id }: Running, kind: string, number: SQL = sql`changes()`) {
  const path = `$."${kind}"`;
  return db.run(
    sql`UPDATE erasures SET counts = json_set(counts, ${path}, coalesce(json_extract(counts, ${path}), 0) + ${number}) WHERE id = ${id} AND ${number} > 0`,
  );
}

/** One statement with its count. @returns whether it changed as many rows as it may */
async function change(db: Db, run: Running, kind: string, statement: SQL): Promise<Slice> {
  const [{ rowsAffected }] = await db.batch([db.run(statement), count(db, run, kind)]);
  return { more: rowsAffected >= atOnce };
}

const some = (table: string, userId: string, condition: SQL = sql`TRUE`) => {
  const name = sql.raw(table);
  return sql`${name}.rowid IN (SELECT ${name}.rowid FROM ${name} WHERE ${name}.user_id = ${userId} AND ${condition} LIMIT ${atOnce})`;
};

const removeOwn = (kind: string, table: string) => (db: Db, run: Running) =>
  change(db, run, `removed.${kind}`, sql`DELETE FROM ${sql.raw(table)} WHERE ${some(table, run.userId)}`);

async function handOver(db: Db, run: Running): Promise<Slice> {
  const { userId, successorId } = run;
  const files = await change(
    db,
    run,
    "handed_over.files",
    sql`UPDATE files SET user_id = ${successorId} WHERE ${some("files", userId, sharedFile(userId))}`,
  );
  if (files.more) return files;
  const statements = ownedTables(userId).flatMap(({ kind, table, others }) => [
    db.run(sql`UPDATE ${sql.raw(table)} SET user_id = ${successorId} WHERE user_id = ${userId} AND ${others}`),
    count(db, run, `handed_over.${kind}`),
  ]);
  await runBatch(db, [
    // A channel that only they managed: before it changes hands, because it is found by its maker.
    db.run(sql`INSERT INTO channel_members (channel_id, user_id, role, joined_at)
      SELECT c.id, s.id, 'manager', ${Date.now()} FROM channels c JOIN users s ON s.id = ${successorId} AND s.organization_id = c.organization_id
      WHERE c.user_id = ${userId} AND c.kind <> 'direct' AND c.deleted_at IS NULL
      ON CONFLICT (channel_id, user_id) DO UPDATE SET role = 'manager'`),
    ...statements,
    db.run(sql`UPDATE knowledge_files SET user_id = ${successorId} WHERE user_id = ${userId}`),
    db.run(sql`UPDATE plugin_versions SET user_id = NULL WHERE user_id = ${userId}`),
    db.run(sql`UPDATE prompt_versions SET user_id = NULL WHERE user_id = ${userId}`),
  ]);
  return { more: false };
}

async function removeChats(db: Db, run: Running): Promise<Slice> {
  const removed = await removeSomeChats(db, sql`FROM chats c WHERE c.user_id = ${run.userId}`);
  await count(db, run, "removed.chats", sql`${removed.length}`);
  return { more: removed.length >= maxChats };
}

/** What they wrote in channels stays, as that of a former member. */
const anonymiseMessages = (db: Db, run: Running) =>
  change(
    db,
    run,
    "anonymised.channel_messages",
    sql`UPDATE channel_messages SET user_id = NULL, sender = ${`user:${run.subject}`}, key = NULL
      WHERE ${some("channel_messages", run.userId)}`,
  );

/** Goes through all messages of channels: mentions of the person, pins, and rows of deleted messages. */
async function anonymiseMentions(db: Db, run: Running): Promise<Slice> {
  const { userId, subject, place } = run;
  const after = Number(place || 0);
  const [last] = await db.all<{ number: number | null }>(sql`
    SELECT max(number) AS number FROM (SELECT number FROM channel_messages WHERE number > ${after} ORDER BY number LIMIT ${looksAt})`);
  if (typeof last?.number !== "number") return { more: false };
  const range = sql`number > ${after} AND number <= ${last.number}`;
  const found = await db.all<{ number: number; content: string }>(
    sql`SELECT number, content FROM channel_messages WHERE ${range} AND instr(content, ${userId})`,
  );
  // Ids of people hold nothing that means something in an expression.
  const mention = new RegExp(`<@U:${userId}(?:\\|[^<>\\r\\n]{0,256})?>`, "g");
  await runBatch(db, [
    db.run(sql`UPDATE channel_messages SET pinned_by = NULL WHERE ${range} AND pinned_by = ${userId}`),
    db.run(
      sql`UPDATE channel_messages SET sender = ${`user:${subject}`}, key = NULL WHERE ${range} AND sender = ${`user:${userId}`}`,
    ),
    ...found.flatMap(({ number, content }) => [
      db.run(sql`UPDATE channel_messages SET content = ${content.replaceAll(mention, `<@U:${subject}|Former member>`)}
        WHERE number = ${number} AND content = ${content}`),
      count(db, run, "anonymised.mentions"),
    ]),
  ]);
  return { more: true, place: String(last.number) };
}

/** Sums of usage stay, under the hash. */
const anonymiseUsage = (kind: string, table: string) => (db: Db, run: Running) =>
  change(
    db,
    run,
    `anonymised.${kind}`,
    sql`UPDATE ${sql.raw(table)} SET user_id = ${run.subject}, key_id = '' WHERE ${some(table, run.userId)}`,
  );

/** Deliveries of webhooks that speak of them; receivers have had them. */
async function removeDeliveries(db: Db, run: Running): Promise<Slice> {
  const [last] = await db.all<{ id: string | null }>(sql`
    SELECT max(id) AS id FROM (SELECT id FROM webhook_deliveries WHERE id > ${run.place} ORDER BY id LIMIT ${looksAt})`);
  if (typeof last?.id !== "string") return { more: false };
  await change(
    db,
    run,
    "removed.deliveries",
    sql`DELETE FROM webhook_deliveries WHERE id > ${run.place} AND id <= ${last.id}
      AND (instr(payload, ${run.userId}) OR instr(lower(payload), ${run.email}))`,
  );
  return { more: true, place: last.id };
}

/** Lines of the audit log stay, with the hash in place of the id. What a change of the account itself said is emptied. */
async function anonymiseAudit(db: Db, run: Running): Promise<Slice> {
  const { userId, subject, email } = run;
  const [last] = await db.all<{ id: string | null }>(sql`
    SELECT max(id) AS id FROM (SELECT id FROM audit_events WHERE id > ${run.place} ORDER BY id LIMIT ${looksAt})`);
  if (typeof last?.id !== "string") return { more: false };
  const quoted = JSON.stringify(run.name);
  await change(
    db,
    run,
    "anonymised.audit_events",
    sql`UPDATE audit_events SET
        actor_id = CASE actor_id WHEN ${userId} THEN ${subject} ELSE actor_id END,
        detail = CASE WHEN target_id = ${userId} OR instr(lower(detail), ${email}) THEN '{}'
          ELSE replace(replace(detail, ${userId}, ${subject}), ${quoted}, '"Former member"') END,
        target_id = replace(target_id, ${userId}, ${subject})
      WHERE id > ${run.place} AND id <= ${last.id}
        AND (actor_id = ${userId} OR instr(target_id, ${userId}) OR instr(detail, ${userId}) OR instr(lower(detail), ${email}))`,
  );
  return { more: true, place: last.id };
}

/** The rest of the places that know an id. */
async function anonymiseReferences(db: Db, { userId, subject }: Running): Promise<Slice> {
  const replaced = (table: string, column: string) =>
    db.run(sql`UPDATE ${sql.raw(table)} SET ${sql.raw(column)} = ${subject} WHERE ${sql.raw(column)} = ${userId}`);
  await runBatch(db, [
    db.run(sql`UPDATE channels SET people = replace(people, ${userId}, ${subject})
      WHERE id IN (SELECT channel_id FROM channel_members WHERE user_id = ${userId}) AND people IS NOT NULL`),
    db.run(sql`DELETE FROM quota_counters WHERE kind = 'person' AND subject_id = ${userId}`),
    db.run(sql`DELETE FROM jobs WHERE user_id = ${userId}`),
    replaced("erasures", "started_by"),
    replaced("erasures", "successor_id"),
    replaced("legal_holds", "created_by"),
  ]);
  return { more: false };
}

/** In this order, each until nothing is left. Every slice leaves a sound state, and doing one again changes nothing. */
export const erasureSteps: readonly [name: string, slice: (db: Db, run: Running) => Promise<Slice>][] = [
  ["hand over", handOver],
  ["chats", removeChats],
  ["knowledge", removeOwn("knowledge", "knowledge")],
  ["prompts", removeOwn("prompts", "prompts")],
  ["memories", removeOwn("memories", "memories")],
  ["ratings", removeOwn("ratings", "feedback")],
  ["files", removeOwn("files", "files")],
  ["responses", removeOwn("responses", "stored_responses")],
  ["reactions", removeOwn("reactions", "channel_reactions")],
  ["tool servers", removeOwn("tool_servers", "tool_servers")],
  ["direct connections", removeOwn("direct_connections", "direct_connections")],
  ["messages", anonymiseMessages],
  ["mentions", anonymiseMentions],
  ["calls", anonymiseUsage("calls", "usage_records")],
  ["usage", anonymiseUsage("usage_days", "usage_days")],
  ["deliveries", removeDeliveries],
  ["audit log", anonymiseAudit],
  ["references", anonymiseReferences],
];
