import { cleanObject } from "../clean-value.ts";
import { fitObject } from "../fit-message.ts";
import { pagesOf } from "../pages-of.ts";
import { flagOf, millisecondsOf, objectOf, textOf } from "../read-values.ts";
import type { ImportedRecord, Reader, Row, RowSource, Translated } from "../row-source.ts";
import { hasTable } from "../rows-in-order.ts";
import { messagesOf } from "./channel-messages.ts";
import { grantsOf, type ImportedGrant } from "./grants.ts";

/** Channels with their people, webhooks and messages. */
export const channelsReader: Reader = {
  name: "channels",
  tables: ["channel", "message"],
  async *read(reading) {
    const { source } = reading;
    if (!(await hasTable(source, "channel"))) return;
    const has = {
      members: await hasTable(source, "channel_member"),
      webhooks: await hasTable(source, "channel_webhook"),
    };
    const readings: ImportedRecord[] = [];
    for await (const page of pagesOf(source.rows("channel"), 50)) {
      const grants = await grantsOf(reading, "channel", page);
      for (const [index, row] of page.entries()) {
        const id = textOf(row, "id");
        if (id === undefined) continue;
        if (textOf(row, "deleted_at") !== undefined || millisecondsOf(row, "deleted_at") !== undefined) {
          yield { leftOut: { kind: "channel", id, reason: "It was deleted" } };
          continue;
        }
        const members = has.members ? await source.rowsOf("channel_member", "channel_id", [id], "id") : [];
        yield { record: channelOf(row, id, members, grants[index]!) };
        if (has.webhooks) yield* webhooksOf(source, id);
        readings.push(readingOf(id, members));
      }
    }
    yield* messagesOf(source, new Set(readings.map((each) => String(each["channel_id"]))));
    for (const record of readings) yield { record };
  },
};

type Member = { person_id: string; role: "manager" | "member"; is_hidden: boolean; joined_at: number | undefined };

function channelOf(row: Row, id: string, memberRows: readonly Row[], grants: readonly ImportedGrant[]): ImportedRecord {
  const notes: string[] = [];
  const type = textOf(row, "type");
  const maker = textOf(row, "user_id");
  const isDirect = type === "dm";
  const createdAt = millisecondsOf(row, "created_at");
  const members = new Map<string, Member>();
  const add = (personId: string, role: Member["role"] = "member", isHidden = false, joinedAt = createdAt) => {
    if (!members.has(personId))
      members.set(personId, { person_id: personId, role, is_hidden: isHidden, joined_at: joinedAt });
  };
  if (maker !== undefined && !isDirect) add(maker, "manager");
  for (const member of memberRows) {
    const personId = textOf(member, "user_id");
    const isActive = member["is_active"] === undefined || member["is_active"] === null || flagOf(member, "is_active");
    if (personId === undefined || millisecondsOf(member, "left_at") !== undefined || (!isDirect && !isActive)) continue;
    const isManager = !isDirect && /^(manager|owner|admin)$/.test(textOf(member, "role") ?? "");
    add(personId, isManager ? "manager" : "member", !isActive, millisecondsOf(member, "joined_at") ?? createdAt);
  }
  const isShared = type === undefined;
  if (isShared)
    for (const grant of grants)
      if (grant.principal_type === "user" && grant.principal_id !== "*") add(grant.principal_id);
  const forAll =
    isShared && grants.some(({ principal_id: who, principal_type: kind }) => who === "*" || kind === "anyone");
  const writers = new Set(grants.flatMap((grant) => (grant.permission === "write" ? [key(grant)] : [])));
  // In older versions everybody could write in what everybody could read.
  const isOld = row["access_control"] === null || row["access_control"] === "null";
  if (isShared && !isOld && grants.some((grant) => !writers.has(key(grant))))
    notes.push("Some people could read but not write in it: here everyone who can read a channel can write in it");
  if (millisecondsOf(row, "archived_at") !== undefined) notes.push("It was archived, and is an ordinary channel here");
  const isPublic =
    forAll ||
    (type === "group" && row["is_private"] !== null && row["is_private"] !== undefined && !flagOf(row, "is_private"));
  const groups = isShared
    ? grants.flatMap((grant) => (grant.principal_type === "group" ? [grant.principal_id] : []))
    : [];
  return {
    kind: "channel",
    id,
    person_id: maker ?? null,
    type: isDirect ? "direct" : isPublic ? "public" : "private",
    name: (textOf(row, "name") ?? "").slice(0, 1000),
    description: (textOf(row, "description") ?? "").slice(0, 20_000),
    members: [...members.values()].slice(0, 20_000),
    group_ids: [...new Set(groups)].slice(0, 1000),
    meta: fitObject(cleanObject(objectOf(row, "meta") ?? {}), 20_000),
    data: fitObject(cleanObject(objectOf(row, "data") ?? {}), 20_000),
    created_at: createdAt,
    updated_at: millisecondsOf(row, "updated_at") ?? createdAt,
    notes,
  };
}

const key = (grant: ImportedGrant) => `${grant.principal_type}/${grant.principal_id}`;

async function* webhooksOf(source: RowSource, channelId: string): AsyncGenerator<Translated> {
  for (const row of await source.rowsOf("channel_webhook", "channel_id", [channelId], "id")) {
    const id = textOf(row, "id");
    if (id === undefined) continue;
    const token = textOf(row, "token");
    if (token === undefined || token.length > 500) {
      yield { leftOut: { kind: "channel_webhook", id, reason: "It has no address" } };
      continue;
    }
    const picture = textOf(row, "profile_image_url");
    yield {
      record: {
        kind: "channel_webhook",
        id,
        channel_id: channelId,
        person_id: textOf(row, "user_id") ?? null,
        name: (textOf(row, "name") ?? "").slice(0, 1000),
        profile_image_url: picture === undefined || picture.length > 1_000_000 ? null : picture,
        token,
        last_used_at: millisecondsOf(row, "last_used_at"),
        created_at: millisecondsOf(row, "created_at"),
        updated_at: millisecondsOf(row, "updated_at"),
      },
    };
  }
}

function readingOf(channelId: string, members: readonly Row[]): ImportedRecord {
  const people = members.flatMap((row) => {
    const personId = textOf(row, "user_id");
    const at = millisecondsOf(row, "last_read_at");
    return personId === undefined || at === undefined ? [] : [{ person_id: personId, last_read_at: at }];
  });
  return { kind: "channel_reading", id: channelId, channel_id: channelId, people: people.slice(0, 20_000) };
}
