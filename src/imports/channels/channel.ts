import { sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { requireAdmin } from "../../access.ts";
import { maxDirectPeople } from "../../channels/schema.ts";
import { cleanJson, cleanText } from "../../lib/clean-text.ts";
import { cutText } from "../../lib/cut-text.ts";
import { fitObject } from "../../shared/moving-in/fit-message.ts";
import { defineKind, type ImportRun } from "../kind.ts";
import { freeName, givenNotes, homeOf, kept, nameFrom, optionalId, optionalTime, takenIn } from "../record-parts.ts";
import { anyRecord, sourceId } from "../schema.ts";

const maxName = 80;

/** Times of channels are epoch milliseconds. */
const channelRecord = anyRecord.extend({
  person_id: optionalId,
  /** Of one whose maker is gone. */
  organization_id: optionalId,
  type: z.enum(["public", "private", "direct"]),
  name: z.string().default(""),
  description: z.string().default(""),
  /** People of it; the one who made it is among them. */
  members: z
    .array(
      z.object({
        person_id: sourceId,
        role: z.enum(["manager", "member"]).default("member"),
        is_hidden: z.boolean().default(false),
        joined_at: optionalTime,
      }),
    )
    .max(20_000)
    .default([]),
  /** Groups whose people become members. */
  group_ids: z.array(sourceId).max(1000).default([]),
  meta: kept,
  data: kept,
  created_at: optionalTime,
  updated_at: optionalTime,
  notes: givenNotes,
});
type ChannelRecord = z.infer<typeof channelRecord>;

export const channelKind = defineKind<ChannelRecord>({
  shape: channelRecord,
  references: (record) => [
    ...(record.person_id ? [{ kind: "person", id: record.person_id }] : []),
    ...(record.organization_id ? [{ kind: "organization", id: record.organization_id }] : []),
    ...record.members.map(({ person_id: id }) => ({ kind: "person", id })),
    ...record.group_ids.map((id) => ({ kind: "group", id })),
  ],
  taken: takenIn("channels"),
  readsStored: true,
  async plan(run, record, id) {
    const { ctx } = run;
    const notes = [...record.notes];
    const makerId = record.person_id ? run.find("person", record.person_id) : undefined;
    const members = peopleOf(run, record);
    const missing = record.members.length - members.length;
    if (missing > 0) notes.push(`${missing} of its people weren't imported`);
    const groups = record.group_ids.flatMap((group) => run.find("group", group) ?? []);
    if (record.type !== "public" && members.length === 0 && groups.length === 0)
      return { leftOut: "None of its people were imported" };
    const given = record.organization_id ? run.find("organization", record.organization_id) : undefined;
    const home = given === undefined ? homeOf(makerId ?? members[0]?.id ?? requireAdmin(ctx).id) : sql`${given}`;
    const people = members.map((each) => each.id).toSorted();
    const isDirect = record.type === "direct" && people.length >= 2 && people.length <= maxDirectPeople;
    if (isDirect) {
      const [known] = await ctx.db.all<{ id: string }>(
        sql`SELECT id FROM channels WHERE organization_id = ${home} AND people = ${people.join(",")}`,
      );
      if (known)
        return {
          matched: known.id,
          notes: ["These people have a conversation here already: the messages are added to it"],
        };
    } else if (record.type === "direct")
      notes.push(
        `It is a private channel here: direct conversations have 2 to ${maxDirectPeople} people, and this one has ${people.length}`,
      );
    const kind = record.type === "direct" && !isDirect ? "private" : record.type;
    const name = isDirect ? "" : await nameOf(run, record, { home, isPublic: kind === "public", notes });
    if (groups.length < record.group_ids.length)
      notes.push(`${record.group_ids.length - groups.length} of its groups weren't imported`);
    const now = ctx.now() * 1000;
    const createdAt = record.created_at ?? now;
    const cleaned = cleanText(record.description).trim();
    const description = cutText(cleaned, 1000);
    if (description.length < cleaned.length) notes.push("Its description was too long: it was cut");
    return {
      notes,
      statements: [
        ctx.db
          .run(sql`INSERT INTO channels (id, organization_id, user_id, kind, name, description, data, meta, people, created_at, updated_at)
          VALUES (${id}, ${home}, ${makerId ?? null}, ${kind}, ${name}, ${description}, ${keptOf(record.data)}, ${keptOf(record.meta)},
            ${isDirect ? people.join(",") : null}, ${createdAt}, ${record.updated_at ?? createdAt})`),
        ctx.db.run(sql`INSERT INTO channel_members (channel_id, user_id, role, is_hidden, joined_at)
          SELECT ${id}, u.id, value ->> 1, value ->> 2, coalesce(value ->> 3, ${createdAt})
          FROM json_each(${JSON.stringify(members.map((each) => [each.id, isDirect ? "member" : each.role, each.isHidden ? 1 : 0, each.joinedAt]))}) m
          JOIN users u ON u.id = m.value ->> 0 AND u.organization_id = ${home} WHERE TRUE ON CONFLICT DO NOTHING`),
        ctx.db.run(sql`INSERT INTO channel_members (channel_id, user_id, role, joined_at)
          SELECT DISTINCT ${id}, u.id, 'member', ${createdAt} FROM group_members gm JOIN users u ON u.id = gm.user_id AND u.organization_id = ${home}
          WHERE gm.group_id IN (SELECT value FROM json_each(${JSON.stringify(isDirect ? [] : groups)})) ON CONFLICT DO NOTHING`),
      ],
    };
  },
});

interface Member {
  id: string;
  role: "manager" | "member";
  isHidden: boolean;
  joinedAt: number | null;
}

function peopleOf(run: ImportRun, record: ChannelRecord): Member[] {
  const found = new Map<string, Member>();
  for (const { person_id: personId, role, is_hidden: isHidden, joined_at: joinedAt } of record.members) {
    const id = run.find("person", personId);
    if (id !== undefined) found.set(id, { id, role, isHidden, joinedAt: joinedAt ?? null });
  }
  return [...found.values()];
}

interface Naming {
  home: SQL;
  isPublic: boolean;
  notes: string[];
}

/** As channels are named here; of public ones each name is there once. */
async function nameOf({ ctx }: ImportRun, record: ChannelRecord, { home, isPublic, notes }: Naming): Promise<string> {
  const given = record.name
    .normalize("NFC")
    .trim()
    .replace(/^#+/, "")
    .replaceAll(/\p{Cf}/gu, "");
  const own = nameFrom(given, { max: maxName, otherwise: record.type === "direct" ? "conversation" : "channel" })
    .replaceAll(/\s+/gu, "-")
    .toLowerCase();
  if (!isPublic) return cutText(own, maxName);
  const beside = await ctx.db.all<{ name: string }>(
    sql`SELECT name FROM channels WHERE organization_id = ${home} AND kind = 'public'`,
  );
  const taken = new Set(beside.map((each) => each.name));
  const name = freeName(own, maxName, (each) => taken.has(each.replaceAll(" ", "-"))).replaceAll(" ", "-");
  if (name !== cutText(own, maxName)) notes.push("There was a public channel with this name: it has another one here");
  return name;
}

const keptOf = (value: Record<string, unknown> | null | undefined) => cleanJson(fitObject(value ?? {}, 20_000));

const readingRecord = anyRecord.extend({
  channel_id: sourceId,
  /** What those who are not named have read: all of it, or nothing. */
  others: z.enum(["read", "unread"]).default("read"),
  /** Until when each person has read. */
  people: z.array(z.object({ person_id: sourceId, last_read_at: optionalTime })).max(20_000),
});

/** How far people have read: after the messages. */
export const channelReadingKind = defineKind<z.infer<typeof readingRecord>>({
  shape: readingRecord,
  references: (record) => [
    { kind: "channel", id: record.channel_id },
    ...record.people.map(({ person_id: id }) => ({ kind: "person", id })),
  ],
  plan(run, record) {
    const { ctx } = run;
    const channelId = run.find("channel", record.channel_id);
    if (channelId === undefined) return { leftOut: "Its channel wasn't imported" };
    const read = record.people.flatMap(({ person_id: personId, last_read_at: at }) => {
      const id = run.find("person", personId);
      return id === undefined || !at ? [] : [[id, at]];
    });
    const list = sql`json_each(${JSON.stringify(read)})`;
    return {
      notes: [],
      statements: [
        ctx.db.run(sql`UPDATE channel_members SET
          last_read_at = coalesce((SELECT value ->> 1 FROM ${list} WHERE value ->> 0 = user_id), ${ctx.now() * 1000}),
          last_read = coalesce((SELECT (SELECT coalesce(max(m.seq), 0) FROM channel_messages m WHERE m.channel_id = ${channelId}
              AND m.created_at <= r.value ->> 1) FROM ${list} r WHERE r.value ->> 0 = channel_members.user_id),
            (SELECT head FROM channels WHERE id = ${channelId}))
          WHERE channel_id = ${channelId} AND last_read_at IS NULL
            AND ${record.others === "read" ? sql`TRUE` : sql`user_id IN (SELECT value ->> 0 FROM ${list})`}`),
      ],
    };
  },
});
