import { sql } from "drizzle-orm";
import * as z from "zod";
import { newChatAt } from "../../chat/conversations/chats.ts";
import { removeChat } from "../../chat/conversations/delete-chats.ts";
import { overridesOf } from "../../chat/conversations/import-chats.ts";
import { planTree } from "../../chat/conversations/plan-tree.ts";
import { readHistory } from "../../chat/conversations/read-history.ts";
import { insertTags } from "../../chat/conversations/store-chats.ts";
import { insertMessages, messageCost, newMessages } from "../../chat/conversations/write-messages.ts";
import { readExported } from "../../chat/transfer/read-exported.ts";
import { cleanText } from "../../lib/clean-text.ts";
import { isRecord, textsIn } from "../../lib/json.ts";
import { fitMessage, fitObject } from "../../shared/moving-in/fit-message.ts";
import { chats } from "../../stored-chats/tables.ts";
import { defineKind, type ImportRun, type Reference } from "../kind.ts";
import { givenNotes, homeOf, kept, noOwner, optionalId, optionalTime, takenIn } from "../record-parts.ts";
import { anyRecord, sourceId } from "../schema.ts";
import { namedIds, withIds } from "./file-references.ts";

const document = z.record(z.string(), z.unknown());

const chatRecord = anyRecord.extend({
  person_id: sourceId,
  folder_id: optionalId,
  title: z.string().nullish(),
  /** Open WebUI's document, with all messages of the chat or the first of them. */
  chat: document,
  tags: z.array(z.string()).max(1000).default([]),
  meta: kept,
  variables: kept,
  pinned: z.boolean().default(false),
  archived: z.boolean().default(false),
  created_at: optionalTime,
  updated_at: optionalTime,
  last_read_at: optionalTime,
  notes: givenNotes,
});
type ChatRecord = z.infer<typeof chatRecord>;

/** What a document refers to: files, knowledge bases, models. */
function referencesIn(value: Record<string, unknown>): Reference[] {
  const { files, bases } = namedIds(value);
  return [
    ...[...files].map((id) => ({ kind: "file", id })),
    ...[...bases].map((id) => ({ kind: "knowledge", id })),
    ...modelsIn(value).map((id) => ({ kind: "model", id })),
  ];
}

function modelsIn(value: Record<string, unknown>): string[] {
  const models = messagesIn(value).map(([, message]) => (isRecord(message) ? message["model"] : undefined));
  const ids = [...textsIn(value["models"]), ...models.filter((id) => typeof id === "string")];
  return [...new Set(ids)].filter((id) => id !== "" && id.length <= 256);
}

function messagesIn(value: Record<string, unknown>): [string, unknown][] {
  const history = value["history"];
  return isRecord(history) && isRecord(history["messages"]) ? Object.entries(history["messages"]) : [];
}

/** The document with the ids that its files, bases and models have here, and with messages that can be stored. */
function prepare(run: ImportRun, value: Record<string, unknown>, notes: string[]): Record<string, unknown> {
  const renamed = new Map<string, string>();
  for (const { kind, id } of referencesIn(value)) {
    const here = run.find(kind, id);
    if (here !== undefined && here !== id) renamed.set(id, here);
  }
  const { history, ...rest } = value;
  const beside = fitObject(rest, 1_000_000, ["models", "title"]);
  if (beside !== rest) notes.push("Data beside its messages was left out: there was too much of it");
  let cut = 0;
  const messages = messagesIn(value).map(([id, message]) => {
    if (!isRecord(message)) return [id, message] as const;
    const fitting = fitMessage(message);
    if (fitting !== message) cut += 1;
    return [id, fitting] as const;
  });
  if (cut > 0) notes.push(`${count(cut, "message")} cut: the text, or what was with it, was too large`);
  const prepared = isRecord(history)
    ? { ...beside, history: { ...history, messages: Object.fromEntries(messages) } }
    : beside;
  return withIds(prepared, renamed);
}

const count = (number: number, what: string) => (number === 1 ? `1 ${what} was` : `${number} ${what}s were`);

export const chatKind = defineKind<ChatRecord>({
  shape: chatRecord,
  references: (record) => [
    { kind: "person", id: record.person_id },
    ...(record.folder_id ? [{ kind: "folder", id: record.folder_id }] : []),
    ...referencesIn(record.chat),
  ],
  taken: takenIn("chats"),
  plan(run, record, id) {
    const { ctx } = run;
    const userId = run.find("person", record.person_id);
    if (userId === undefined) return noOwner;
    const notes = [...record.notes];
    const prepared = prepare(run, record.chat, notes);
    const read = readExported({
      ...record,
      meta: fitObject(record.meta ?? {}, 200_000),
      variables: fitObject(record.variables ?? {}, 200_000),
      chat: { ...prepared, tags: [...textsIn(prepared["tags"]), ...record.tags.map(cleanText)] },
    });
    if ("reason" in read) return { leftOut: read.reason };
    const folderId = record.folder_id ? run.find("folder", record.folder_id) : undefined;
    if (record.folder_id && folderId === undefined) notes.push("Its folder wasn't imported: it is in no folder");
    const plan = planTree([], readHistory(read.chat.chat));
    if (read.messagesLeftOut > 0)
      notes.push(`${count(read.messagesLeftOut, "message")} left out: nothing in it can be read`);
    if (plan.issues.length > 0)
      notes.push(
        `${count(plan.issues.length, "message")} put at the top: the message before was missing, or there was a loop`,
      );
    const place = {
      userId,
      organizationId: homeOf(userId),
      // Folders of other people are only for it where they are shared.
      folderId:
        folderId === undefined
          ? null
          : sql`(SELECT f.id FROM folders f WHERE f.id = ${folderId} AND (f.user_id = ${userId} OR EXISTS (
              SELECT 1 FROM grants g WHERE g.resource_type = 'folder' AND g.resource_id = f.id)))`,
    };
    const { row, messages, tags } = newChatAt(
      ctx,
      place,
      id,
      { chat: read.chat.chat, variables: read.chat.variables },
      plan,
      {
        ...overridesOf(read.chat),
        lastReadAt: record.last_read_at ?? null,
      },
    );
    const [first, ...others] = messages;
    const now = ctx.now();
    return {
      notes,
      size: (first?.length ?? 0) + 2 * messageCost,
      statements: [
        ctx.db.insert(chats).values(row),
        ...(first === undefined ? [] : [insertMessages(ctx.db, userId, [first], now)]),
        ...(tags.length === 0
          ? []
          : [
              insertTags(
                ctx,
                tags.map((name) => [id, name]),
              ),
            ]),
      ],
      ...(others.length === 0
        ? {}
        : {
            rest: async () => {
              for (const list of others) await insertMessages(ctx.db, userId, [list], now);
            },
          }),
    };
  },
  async undo(run, record, id) {
    const userId = run.find("person", record.person_id);
    if (userId !== undefined) await removeChat(run.ctx.db, { chatId: id, userId });
  },
});

const partRecord = anyRecord.extend({
  chat_id: sourceId,
  person_id: sourceId,
  /** Further messages of it by their ids; their parents are among them, or came before. */
  messages: document,
  /** The message that is shown, where it is one of these. */
  current_id: z.string().max(100).nullish(),
  notes: givenNotes,
});

/** More messages of a chat that is too large for one record. */
export const chatMessagesKind = defineKind<z.infer<typeof partRecord>>({
  shape: partRecord,
  readsStored: true,
  references: (record) => [
    { kind: "chat", id: record.chat_id },
    { kind: "person", id: record.person_id },
    ...referencesIn({ history: { messages: record.messages } }),
  ],
  async plan(run, record) {
    const { ctx } = run;
    const chatId = run.find("chat", record.chat_id);
    const userId = run.find("person", record.person_id);
    if (chatId === undefined || userId === undefined) return { leftOut: "Its chat wasn't imported" };
    const notes = [...record.notes];
    const prepared = prepare(run, { history: { messages: record.messages } }, notes);
    const read = readExported({ chat: prepared });
    if ("reason" in read) return { leftOut: read.reason };
    const changes = readHistory(read.chat.chat);
    const ids = new Set(changes.map(({ id }) => id));
    const parents = [...new Set(changes.flatMap(({ parentId }) => (parentId && !ids.has(parentId) ? [parentId] : [])))];
    const wanted = JSON.stringify([...ids, ...parents]);
    const known = run.dryRun
      ? parents.map((id) => ({ id }))
      : await ctx.db.all<{ id: string }>(sql`
          SELECT m.id FROM json_each(${wanted}) w CROSS JOIN messages m ON m.chat_id = ${chatId} AND m.id = w.value`);
    // Those that are there stay where they are: only what is new is added.
    const plan = planTree(
      known.map(({ id }) => ({ id, parentId: null })),
      changes,
    );
    if (plan.issues.length > 0)
      notes.push(
        `${count(plan.issues.length, "message")} put at the top: the message before was missing, or there was a loop`,
      );
    const [first, ...others] = newMessages(chatId, plan.inserts);
    const now = ctx.now();
    const current = record.current_id ?? null;
    const show = () =>
      ctx.db.run(sql`UPDATE chats SET current_message_id = ${current} WHERE id = ${chatId} AND user_id = ${userId}
      AND EXISTS (SELECT 1 FROM messages m WHERE m.chat_id = ${chatId} AND m.id = ${current})`);
    return {
      notes,
      size: (first?.length ?? 0) + messageCost,
      statements: [...(first === undefined ? [] : [insertMessages(ctx.db, userId, [first], now)]), show()],
      ...(others.length === 0
        ? {}
        : {
            rest: async () => {
              for (const list of others) await insertMessages(ctx.db, userId, [list], now);
              await show();
            },
          }),
    };
  },
});
