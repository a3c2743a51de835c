import { sql } from "drizzle-orm";
import * as z from "zod";
import { fitCard } from "../../channels/cards/fit-card.ts";
import { messageCard } from "../../channels/cards/schema.ts";
import { mentionStatement } from "../../channels/messages/mention-statements.ts";
import { attachStatement } from "../../channels/messages/post-statements.ts";
import { shownAs } from "../../channels/schema.ts";
import { fitFace } from "../../channels/webhooks/inbound-post.ts";
import { cleanJson, cleanText } from "../../lib/clean-text.ts";
import { mentionedIds } from "../../shared/mentions.ts";
import { fitMessage, fitObject } from "../../shared/moving-in/fit-message.ts";
import { defineKind, type ImportRun } from "../kind.ts";
import { givenNotes, kept, optionalId, optionalTime, takenIn } from "../record-parts.ts";
import { anyRecord, sourceId } from "../schema.ts";

const maxFiles = 100;

/** Times are epoch milliseconds. */
const messageRecord = anyRecord.extend({
  channel_id: sourceId,
  /** Its author, or who asked the model. */
  person_id: optionalId,
  webhook_id: optionalId,
  model: z.object({ id: z.string().min(1).max(256), name: z.string().max(500) }).nullish(),
  parent_id: optionalId,
  reply_to_id: optionalId,
  content: z.string().default(""),
  file_ids: z.array(sourceId).max(1000).default([]),
  reactions: z
    .array(z.object({ name: z.string(), person_id: sourceId, created_at: optionalTime }))
    .max(20_000)
    .default([]),
  /** What a bot said, as data; of another form it is left out. */
  card: z.unknown().optional(),
  /** Name and picture that a bot gave for this one post. */
  shown_as: z.unknown().optional(),
  meta: kept,
  /** What its sender keeps with it. */
  data: kept,
  /** Of an answer of a model that has failed. */
  error: z.object({ message: z.string().max(10_000), code: z.string().max(200) }).nullish(),
  /** Of the head of a thread that was deleted: what is left is its place. */
  deleted_at: optionalTime,
  pinned_at: optionalTime,
  pinned_by: optionalId,
  created_at: optionalTime,
  edited_at: optionalTime,
  notes: givenNotes,
});
type MessageRecord = z.infer<typeof messageRecord>;

const mentionKinds = { user: "person", model: "model", channel: "channel" } as const;

function mentionsOf(content: string): { kind: string; id: string }[] {
  return (["user", "model", "channel"] as const).flatMap((kind) =>
    mentionedIds(content, kind).map((id) => ({ kind: mentionKinds[kind], id })),
  );
}

export const channelMessageKind = defineKind<MessageRecord>({
  shape: messageRecord,
  references: (record) => [
    { kind: "channel", id: record.channel_id },
    ...[record.person_id, record.pinned_by, ...record.reactions.map((each) => each.person_id)].flatMap((id) =>
      id ? [{ kind: "person", id }] : [],
    ),
    ...(record.webhook_id ? [{ kind: "channel_webhook", id: record.webhook_id }] : []),
    ...[record.parent_id, record.reply_to_id].flatMap((id) => (id ? [{ kind: "channel_message", id }] : [])),
    ...record.file_ids.map((id) => ({ kind: "file", id })),
    ...mentionsOf(record.content),
  ],
  taken: takenIn("channel_messages"),
  plan(run, record, id) {
    const { ctx } = run;
    const { db } = ctx;
    const channelId = run.find("channel", record.channel_id);
    if (channelId === undefined) return { leftOut: "Its channel wasn't imported" };
    const notes = [...record.notes];
    const content = textOf(run, record, notes);
    const author = authorOf(run, record, notes);
    const parentId = found(
      run,
      record.parent_id,
      "The message that it answers wasn't imported: it is in the channel itself",
      notes,
    );
    const replyToId = found(run, record.reply_to_id, "The message that it quotes wasn't imported", notes);
    const here = record.file_ids.flatMap((file) => run.find("file", file) ?? []);
    const files = [...new Set(here)].slice(0, maxFiles);
    if (files.length < record.file_ids.length)
      notes.push(`${record.file_ids.length - files.length} of its files were left out: they weren't imported`);
    const reactions = reactionsOf(run, record);
    const createdAt = record.created_at ?? ctx.now() * 1000;
    // Threads are one deep, and both are of this channel.
    const parent = sql`(SELECT coalesce(p.parent_id, p.id) FROM channel_messages p WHERE p.id = ${parentId} AND p.channel_id = c.id)`;
    const quoted = sql`(SELECT q.id FROM channel_messages q WHERE q.id = ${replyToId} AND q.channel_id = c.id)`;
    const face = sql`(SELECT w.face_id FROM channel_webhooks w WHERE w.id = ${author.webhookId})`;
    return {
      notes,
      size: content.length + 1000,
      statements: [
        db.run(sql`
          INSERT INTO channel_messages (id, channel_id, organization_id, seq, parent_id, reply_to_id, user_id, webhook_id, face_id,
            model, model_name, content, card, shown_as, meta, data, state, error, sender, pinned_at, pinned_by, edited_at, deleted_at, created_at, updated_at)
          SELECT ${id}, c.id, c.organization_id, c.head + 1, ${parentId === null ? null : parent}, ${replyToId === null ? null : quoted},
            ${author.userId}, ${author.webhookId}, ${author.webhookId === null ? null : face}, ${author.model?.id ?? null},
            ${author.model?.name ?? null}, ${content}, ${cardOf(record)}, ${shownAsOf(record)}, ${cleanJson(fitObject(record.meta ?? {}, 4096))}, ${cleanJson(fitObject(record.data ?? {}, 20_000))},
            ${record.error ? "error" : "done"}, ${record.error ? cleanJson(record.error) : null}, ${author.sender},
            ${record.pinned_at ?? null}, ${(record.pinned_by && run.find("person", record.pinned_by)) ?? null},
            ${record.edited_at ?? null}, ${record.deleted_at ?? null}, ${createdAt}, ${Math.max(createdAt, record.edited_at ?? 0)}
          FROM channels c WHERE c.id = ${channelId}`),
        db.run(
          sql`UPDATE channels SET head = head + 1, last_message_at = max(coalesce(last_message_at, 0), ${createdAt}) WHERE id = ${channelId}`,
        ),
        ...(parentId === null
          ? []
          : [
              db.run(sql`UPDATE channel_messages SET reply_count = reply_count + 1, latest_reply_at = max(coalesce(latest_reply_at, 0), ${createdAt})
                WHERE id = (SELECT parent_id FROM channel_messages WHERE id = ${id})`),
            ]),
        ...(author.webhookId === null
          ? []
          : [db.run(sql`UPDATE channel_webhooks SET is_face_used = 1 WHERE id = ${author.webhookId}`)]),
        ...(files.length === 0 ? [] : [attachStatement(db, id, files)]),
        ...(content.includes("<@U:") ? [mentionStatement(db, id, content)] : []),
        ...(reactions.length === 0
          ? []
          : [
              db.run(sql`INSERT INTO channel_reactions (message_id, name, user_id, created_at)
                SELECT ${id}, value ->> 0, value ->> 1, coalesce(value ->> 2, ${createdAt}) FROM json_each(${JSON.stringify(reactions)})
                WHERE TRUE ON CONFLICT DO NOTHING`),
            ]),
      ],
    };
  },
});

/** The text with the ids that mentioned people, models and channels have here. */
function textOf(run: ImportRun, record: MessageRecord, notes: string[]): string {
  const whole = cleanText(record.content);
  const fitting = fitMessage({ content: whole })["content"] as string;
  if (fitting.length < whole.length) notes.push("Its text was too large: it was cut");
  const renamed = new Map(
    mentionsOf(fitting).flatMap(({ kind, id }) => {
      const here = run.find(kind, id);
      return here === undefined || here === id ? [] : [[id, here] as const];
    }),
  );
  if (renamed.size === 0) return fitting;
  return fitting.replaceAll(/<(@U|@M|#C):([^<>|\r\n]{1,256})/g, (start, sign: string, id: string) =>
    renamed.has(id) ? `<${sign}:${renamed.get(id)}` : start,
  );
}

/** As bounded as one that a bot sends. */
function cardOf({ webhook_id: webhookId, card: given }: MessageRecord): string | null {
  const { data } = messageCard.safeParse(given);
  const card = webhookId && data ? fitCard(data) : undefined;
  return card && card.parts.length > 0 ? cleanJson(card) : null;
}

function shownAsOf({ webhook_id: webhookId, shown_as: given }: MessageRecord): string | null {
  const { data } = shownAs.safeParse(given);
  const fitting = webhookId && data ? fitFace({ ...data, picture: data.picture_url }) : undefined;
  return fitting ? cleanJson(fitting) : null;
}

interface Author {
  userId: string | null;
  webhookId: string | null;
  model: { id: string; name: string } | undefined;
  sender: string;
}

function authorOf(run: ImportRun, record: MessageRecord, notes: string[]): Author {
  const userId = record.person_id ? (run.find("person", record.person_id) ?? null) : null;
  if (record.webhook_id) {
    const webhookId = run.find("channel_webhook", record.webhook_id) ?? cleanText(record.webhook_id);
    return { userId: null, webhookId, model: undefined, sender: `webhook:${webhookId}` };
  }
  if (record.model) {
    const model = { id: cleanText(record.model.id), name: cleanText(record.model.name) };
    return { userId, webhookId: null, model, sender: `model:${model.id}` };
  }
  if (userId === null && !record.deleted_at) notes.push("Its author wasn't imported: it is from a former member");
  return { userId, webhookId: null, model: undefined, sender: `user:${userId ?? cleanText(record.person_id ?? "")}` };
}

function found(run: ImportRun, id: string | null | undefined, otherwise: string, notes: string[]): string | null {
  const here = id ? run.find("channel_message", id) : undefined;
  if (id && here === undefined) notes.push(otherwise);
  return here ?? null;
}

function reactionsOf(run: ImportRun, record: MessageRecord): [string, string, number | null][] {
  return record.reactions.flatMap(
    ({ name, person_id: personId, created_at: at }): [string, string, number | null][] => {
      const id = run.find("person", personId);
      const shown = cleanText(name)
        .replaceAll(/[\s\p{Cc}]/gu, "")
        .slice(0, 64);
      return id === undefined || shown === "" ? [] : [[shown, id, at ?? null]];
    },
  );
}
