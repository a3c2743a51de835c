import { sql, type SQL } from "drizzle-orm";
import { anonymous } from "../../access.ts";
import { announceDeletion, deletionStatements } from "../../channels/messages/deletion-statements.ts";
import { announceList } from "../../chat/conversations/announce-chats.ts";
import { maxChats, removeSomeChats } from "../../chat/conversations/delete-chats.ts";
import type { Services, Settings } from "../../context.ts";
import { runBatch } from "../../db/batch.ts";
import { newId } from "../../lib/id.ts";
import { auditValues } from "../../people/audit/audit-row.ts";
import { auditEvents } from "../../people/audit/tables.ts";
import { serviceContext } from "../../people/auth/service-context.ts";
import { expired, expiredFilesOf } from "./expired.ts";
import { periodsFor } from "./periods.ts";
import { type EffectivePeriods, periodOf, type RemovedKind } from "./schema.ts";

/** Organizations of one minute, and how long one that is done waits. */
const maxOrganizations = 20;
const pauseSeconds = 3600;
/** What one minute removes of an organization, and rows of one statement. */
const maxMessages = 500;
const maxPeople = 200;
const maxRows = 1000;
const maxTurns = 5;

const logTables = {
  calls: "usage_records",
  audit_events: "audit_events",
  deliveries: "webhook_deliveries",
  responses: "stored_responses",
} as const satisfies Partial<Record<RemovedKind, string>>;

interface Due {
  id: string;
  own: string;
  filesAfter: string;
}

/** A round for one organization. */
interface Round {
  services: Services;
  organizationId: string;
  periods: EffectivePeriods;
  filesAfter: string;
  /** A statement after one that removed: adds to the one line of the audit log that the round has. */
  note(kind: RemovedKind, count?: SQL): ReturnType<Services["db"]["run"]>;
}

/**
 * Removes what has reached its period, in slices, with one line in the audit log for each organization. An organization
 * where something is left is due again at once. For the timer.
 */
export async function sweepRetention(services: Services): Promise<void> {
  const { settings, db, now } = await serviceContext(services);
  const due = await db.all<Due>(sql`
    SELECT o.id, o.own, coalesce(r.files_after, '') AS filesAfter
    FROM (SELECT id, retention AS own FROM organizations UNION ALL SELECT '', '{}') o
    LEFT JOIN retention_runs r ON r.organization_id = o.id
    WHERE r.due_at IS NULL OR r.due_at <= ${now()} ORDER BY r.due_at LIMIT ${maxOrganizations}`);
  for (const { id, own, filesAfter } of due) {
    const round = startRound(services, settings, id, own, filesAfter);
    const isOver = await finishRound(round);
    await db.run(sql`INSERT INTO retention_runs (organization_id, due_at, files_after)
      VALUES (${id}, ${now() + (isOver ? pauseSeconds : 0)}, ${round.filesAfter})
      ON CONFLICT (organization_id) DO UPDATE SET due_at = excluded.due_at, files_after = excluded.files_after`);
  }
}

function startRound(services: Services, settings: Settings, id: string, own: string, filesAfter: string): Round {
  const { db, now } = services;
  const all = periodsFor(settings, JSON.parse(own) as Partial<EffectivePeriods>);
  const line = auditValues(
    { actor: anonymous, db, requestId: newId(), now },
    { action: "retention.applied", targetType: "organization", targetId: id, organizationId: id || null },
  );
  return {
    services,
    organizationId: id,
    periods: id === "" ? { ...all, chats: 0, files: 0, channel_messages: 0 } : all,
    filesAfter,
    note: (kind, count = sql`changes()`) =>
      db.run(sql`INSERT INTO ${auditEvents} (id, at, actor_id, actor_kind, action, target_type, target_id, organization_id, detail, request_id)
        SELECT ${line.id}, ${line.at}, NULL, ${line.actorKind}, ${line.action}, ${line.targetType}, ${line.targetId}, ${line.organizationId},
          json_object(${kind}, ${count}), ${line.requestId} WHERE ${count} > 0
        ON CONFLICT (id) DO UPDATE SET detail = json_set(detail, ${`$.${kind}`}, coalesce(detail ->> ${kind}, 0) + ${count})`),
  };
}

/** @returns whether nothing is left for now */
async function finishRound(round: Round): Promise<boolean> {
  const isOver = [await removeChats(round), await removeMessages(round), await removeFiles(round)];
  for (const kind of Object.keys(logTables) as (keyof typeof logTables)[]) isOver.push(await removeLogs(round, kind));
  return !isOver.includes(false);
}

/** Epoch seconds before which things of a kind go; undefined for never. */
function endOf({ services, periods }: Round, kind: RemovedKind): number | undefined {
  const days = periods[periodOf[kind]];
  return days === 0 ? undefined : services.now() - days * 86_400;
}

async function removeChats(round: Round): Promise<boolean> {
  const before = endOf(round, "chats");
  if (before === undefined) return true;
  const { services, organizationId } = round;
  const { from } = expired("chats", organizationId, before);
  const removed = await removeSomeChats(services.db, from, sql`updated_at < ${before}`);
  if (removed.length === 0) return true;
  await round.note("chats", sql`${removed.length}`);
  for (const userId of new Set(removed.map((chat) => chat.userId))) announceList(services, userId);
  return removed.length < maxChats;
}

async function removeMessages(round: Round): Promise<boolean> {
  const before = endOf(round, "channel_messages");
  if (before === undefined) return true;
  const { services, organizationId } = round;
  const { from, id } = expired("channel_messages", organizationId, before);
  const found = await services.db.all<{ id: string; channelId: string }>(
    sql`SELECT ${id} AS id, m.channel_id AS channelId ${from} ORDER BY m.created_at LIMIT ${maxMessages}`,
  );
  for (const { id: messageId, channelId } of found) {
    const one = sql`m.id = ${messageId} AND m.deleted_at IS NULL`;
    const goes = sql`(SELECT count(*) FROM channel_messages m WHERE ${one})`;
    const results = await runBatch(services.db, [
      round.note("channel_messages", goes),
      ...deletionStatements(services.db, channelId, messageId, one),
    ]);
    announceDeletion(services, messageId, results);
  }
  return found.length < maxMessages;
}

/** Goes through the organization's people, and remembers where: files that are kept must not be looked at first again. */
async function removeFiles(round: Round): Promise<boolean> {
  const before = endOf(round, "files");
  if (before === undefined) return true;
  const { db } = round.services;
  const people = await db.all<{ id: string }>(sql`SELECT u.id FROM users u
    WHERE u.organization_id = ${round.organizationId} AND u.id > ${round.filesAfter}
      AND EXISTS (SELECT 1 FROM files f WHERE f.user_id = u.id AND f.created_at < ${before})
    ORDER BY u.id LIMIT ${maxPeople}`);
  for (const { id } of people) {
    for (;;) {
      const found = await db.all<{ id: string }>(
        sql`SELECT f.id ${expiredFilesOf(id, before)} ORDER BY f.id LIMIT ${maxRows}`,
      );
      if (found.length > 0)
        await db.batch([
          db.run(sql`DELETE FROM files WHERE updated_at < ${before} AND id IN (
            SELECT value FROM json_each(${JSON.stringify(found.map((file) => file.id))}))`),
          round.note("files"),
        ]);
      if (found.length < maxRows) break;
    }
    round.filesAfter = id;
  }
  if (people.length < maxPeople) round.filesAfter = "";
  return people.length < maxPeople;
}

async function removeLogs(round: Round, kind: keyof typeof logTables): Promise<boolean> {
  const before = endOf(round, kind);
  if (before === undefined) return true;
  const { db } = round.services;
  const { from, id } = expired(kind, round.organizationId, before);
  for (let turn = 0; turn < maxTurns; turn++) {
    const [{ rowsAffected }] = await db.batch([
      db.run(sql`DELETE FROM ${sql.raw(logTables[kind])} WHERE id IN (SELECT ${id} ${from} LIMIT ${maxRows})`),
      round.note(kind),
    ]);
    if (rowsAffected < maxRows) return true;
  }
  return false;
}
