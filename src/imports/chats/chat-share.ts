import { sql } from "drizzle-orm";
import * as z from "zod";
import { planTree } from "../../chat/conversations/plan-tree.ts";
import { readHistory } from "../../chat/conversations/read-history.ts";
import type { MessageChange } from "../../chat/conversations/read-stored-message.ts";
import type { WireMessage } from "../../chat/conversations/schema.ts";
import { snapshotOf } from "../../chat/sharing/chat-snapshot.ts";
import { insertSharedMessages } from "../../chat/sharing/share-chat.ts";
import { readExported } from "../../chat/transfer/read-exported.ts";
import { fitMessage } from "../../shared/moving-in/fit-message.ts";
import { grantReferences, grantStatements, grantsField } from "../grants.ts";
import { defineKind } from "../kind.ts";
import { givenNotes, nameFrom, optionalTime, takenIn } from "../record-parts.ts";
import { anyRecord, sourceId } from "../schema.ts";

const shareRecord = anyRecord.extend({
  chat_id: sourceId,
  title: z.string().nullish(),
  /** The document as it was when it was shared. */
  chat: z.record(z.string(), z.unknown()),
  access_grants: grantsField,
  created_at: optionalTime,
  updated_at: optionalTime,
  notes: givenNotes,
});

/** The link of a chat under its old id, with what it shows. */
export const chatShareKind = defineKind<z.infer<typeof shareRecord>>({
  shape: shareRecord,
  references: (record) => [{ kind: "chat", id: record.chat_id }, ...grantReferences(record.access_grants)],
  taken: takenIn("chat_shares"),
  plan(run, record, id) {
    const { ctx } = run;
    const chatId = run.find("chat", record.chat_id);
    if (chatId === undefined) return { leftOut: "Its chat wasn't imported" };
    const read = readExported({ title: record.title, chat: record.chat });
    if ("reason" in read) return { leftOut: read.reason };
    const shown = snapshotOf(branchOf(read.chat.chat));
    if (shown.length === 0) return { leftOut: "It shows no messages" };
    const now = ctx.now();
    const title = nameFrom(read.chat.title ?? "", { max: 1000, otherwise: "Shared chat" });
    const createdAt = record.created_at ?? now;
    const given = grantStatements(run, "shared_chat", id, record.access_grants);
    return {
      notes: [...record.notes, ...given.notes],
      size: JSON.stringify(shown).length,
      statements: [
        ctx.db.run(sql`INSERT INTO chat_shares (id, chat_id, user_id, organization_id, title, created_at, updated_at)
          SELECT ${id}, id, user_id, organization_id, ${title}, ${createdAt}, ${record.updated_at ?? createdAt}
          FROM chats WHERE id = ${chatId}`),
        ctx.db.run(
          sql`UPDATE chats SET share_id = ${id} WHERE id = ${chatId} AND EXISTS (SELECT 1 FROM chat_shares s WHERE s.id = ${id})`,
        ),
        ...insertSharedMessages(ctx.db, shown, sql`s.id = ${id}`),
        ...given.statements,
      ],
    };
  },
});

/** The branch that the document shows, the root first. */
function branchOf(document: Parameters<typeof readHistory>[0]): WireMessage[] {
  const { inserts, newestLeaf } = planTree([], readHistory(document));
  const found = new Map(inserts.map(({ change, parentId }) => [change.id, { change, parentId }]));
  const current = document.history?.currentId;
  const branch: WireMessage[] = [];
  for (let at: string | null = current && found.has(current) ? current : newestLeaf; at !== null;) {
    const { change, parentId }: { change: MessageChange; parentId: string | null } = found.get(at)!;
    branch.push(fitMessage(wireOf(change)) as WireMessage);
    at = parentId;
  }
  return branch.reverse();
}

function wireOf(change: MessageChange): WireMessage {
  return {
    ...change.extra,
    id: change.id,
    parentId: null,
    childrenIds: [],
    role: change.role ?? "user",
    content: (change.parts as WireMessage["content"]) ?? change.content ?? "",
    timestamp: change.createdAt ?? 0,
    done: true,
    state: "done",
    ...(change.model === undefined ? {} : { model: change.model }),
  };
}
