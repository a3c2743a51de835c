import { sql } from "drizzle-orm";
import { type ExportedRecord, flagJson, fromOwned, grantsJson, type RecordKind, timesJson } from "./record-source.ts";

const depth = `(WITH RECURSIVE up(id, parent_id) AS (SELECT f.id, f.parent_id FROM folders f WHERE f.id = t.id
  UNION SELECT f.id, f.parent_id FROM up JOIN folders f ON f.id = up.parent_id) SELECT count(*) FROM up)`;

/** Folders after those around them. */
const folder: RecordKind = (extent) => ({
  row: sql`json_object('kind', 'folder', 'id', t.id, 'person_id', t.user_id, 'parent_id', t.parent_id, 'name', t.name,
    'instructions', t.instructions, 'model_ids', json(t.model_ids), 'files', (SELECT json_group_array(json_object('type', r.kind,
      'id', r.reference_id)) FROM (SELECT * FROM folder_references WHERE folder_id = t.id ORDER BY position) r),
    'meta', json(t.meta), 'is_expanded', ${flagJson("t.is_expanded")}, 'access_grants', ${grantsJson("folder")}, ${timesJson})`,
  from: fromOwned("folders", extent),
  order: ["t.user_id", depth, "t.id"],
  pageLength: 100,
});

interface SharedRow {
  id: string;
  role: string;
  content: string;
  parts: unknown[] | null;
  model: string | null;
  files: string[];
  sources: { number: number; name: string }[];
  timestamp: number;
}

/** What a link shows, as a chat document that shows the same. */
function sharedDocument(title: unknown, rows: readonly SharedRow[]): ExportedRecord {
  const messages = rows.map(({ id, role, content, parts, model, files, sources, timestamp }, at) => ({
    id,
    parentId: rows[at - 1]?.id ?? null,
    childrenIds: rows.slice(at + 1, at + 2).map((next) => next.id),
    role,
    content: parts ?? content,
    timestamp,
    ...(model === null ? {} : { model }),
    ...(files.length === 0 ? {} : { files: files.map((name) => ({ type: "file", name })) }),
    ...(sources.length === 0
      ? {}
      : { sources: sources.map((source) => ({ source: { name: source.name }, metadata: [source] })) }),
  }));
  return {
    title,
    history: {
      currentId: rows.at(-1)?.id ?? null,
      messages: Object.fromEntries(messages.map((each) => [each.id, each])),
    },
  };
}

const chatShare: RecordKind = (extent) => ({
  row: sql`json_object('kind', 'chat_share', 'id', t.id, 'chat_id', t.chat_id, 'title', t.title, 'access_grants', ${grantsJson("shared_chat")},
    'shown', (SELECT json_group_array(json_object('id', m.id, 'role', m.role, 'content', m.content, 'parts', json(m.parts), 'model', m.model,
      'files', json(m.files), 'sources', json(m.sources), 'timestamp', m.created_at)) FROM (SELECT * FROM shared_messages
        WHERE share_id = t.id ORDER BY position) m), ${timesJson})`,
  from: fromOwned("chat_shares", extent),
  order: ["t.id"],
  pageLength: 10,
  finish: (_ctx, { shown, ...record }) => ({ ...record, chat: sharedDocument(record["title"], shown as SharedRow[]) }),
});

const feedback: RecordKind = (extent) => ({
  row: sql`json_object('kind', 'feedback', 'id', t.id, 'person_id', t.user_id, 'type', t.type, 'data', json(t.data), 'meta', json(t.meta),
    'snapshot', json(t.snapshot), 'chat_id', t.chat_id, 'message_id', t.message_id, ${timesJson})`,
  from: fromOwned("feedback", extent),
  order: ["t.id"],
  pageLength: 10,
});

const memory: RecordKind = (extent) => ({
  row: sql`json_object('kind', 'memory', 'id', t.id, 'person_id', t.user_id, 'content', t.content, 'type', t.type, 'path', t.path, 'source', t.source, 'chat_id', t.chat_id,
    ${timesJson})`,
  from: fromOwned("memories", extent),
  order: ["t.id"],
});

export const folderKinds: readonly (readonly [string, RecordKind])[] = [["folder", folder]];
export const chatKinds: readonly (readonly [string, RecordKind])[] = [
  ["chat_share", chatShare],
  ["feedback", feedback],
  ["memory", memory],
];
