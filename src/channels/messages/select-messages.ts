import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";

/** People that are named for each reaction; whether the reader is one of all is known beside. */
export const namedReactors = 20;
/** Characters of a message that is quoted. */
const quotedText = 300;

/** A message as `selectMessages` finds it; `messageView` makes the wire shape of it. */
export interface MessageRow {
  id: string;
  channel_id: string;
  seq: number;
  parent_id: string | null;
  reply_to_id: string | null;
  user_id: string | null;
  webhook_id: string | null;
  face_id: string | null;
  model: string | null;
  model_name: string | null;
  content: string;
  /** JSON; null for none. */
  card: string | null;
  shown_as: string | null;
  meta: string;
  data: string;
  state: "done" | "streaming" | "error";
  error: string | null;
  sender: string;
  key: string | null;
  reply_count: number;
  latest_reply_at: number | null;
  pinned_at: number | null;
  pinned_by: string | null;
  edited_at: number | null;
  deleted_at: number | null;
  created_at: number;
  updated_at: number;
  user_name: string | null;
  user_role: string | null;
  user_kind: string | null;
  face_name: string | null;
  /** JSON: `[{id, name, size, content_type}]`. */
  files: string;
  /** JSON: `[[name, user id, user name, place, count]]`, ordered: of each name the first people, and the reader. */
  reactions: string;
  /** JSON: what of a `MessageRow` says who wrote it, and the beginning of the text; null for none, or one that is deleted. */
  quoted: string | null;
}

const author = (message: string, person: string, face: string) =>
  sql.raw(`'user_id', ${message}.user_id, 'webhook_id', ${message}.webhook_id, 'face_id', ${message}.face_id,
    'model', ${message}.model, 'model_name', ${message}.model_name, 'user_name', ${person}.name, 'user_role', ${person}.role, 'user_kind', ${person}.kind,
    'face_name', ${face}.name, 'shown_as', ${message}.shown_as`);

/**
 * Statement: messages with all that is shown of them.
 * @param reader id of the person who looks at them; null for everybody, as events show them
 * @param which a condition over `channel_messages` as `m`, and what follows it: order and limit
 */
export function selectMessages(db: Database, reader: string | null, which: SQL) {
  return db.all<MessageRow>(sql`
    SELECT m.id, m.channel_id, m.seq, m.parent_id, m.reply_to_id, m.user_id, m.webhook_id, m.face_id, m.model, m.model_name,
      m.content, m.card, m.shown_as, m.meta, m.data, m.state, m.error, m.sender, m.key, m.reply_count, m.latest_reply_at, m.pinned_at, m.pinned_by,
      m.edited_at, m.deleted_at, m.created_at, m.updated_at, mu.name AS user_name, mu.role AS user_role, mu.kind AS user_kind, mf.name AS face_name,
      (SELECT json_group_array(json_object('id', f.id, 'name', f.filename, 'size', f.size, 'content_type', f.content_type))
        FROM (SELECT files.id, files.filename, files.size, files.content_type FROM channel_files cf
          JOIN files ON files.id = cf.file_id WHERE cf.message_id = m.id ORDER BY cf.position) f) AS files,
      (SELECT json_group_array(json_array(r.name, r.user_id, r.user_name, r.place, r.total))
        FROM (SELECT x.name, x.user_id, xu.name AS user_name, count(*) OVER (PARTITION BY x.name) AS total,
            row_number() OVER (PARTITION BY x.name ORDER BY x.created_at, x.user_id) AS place,
            min(x.created_at) OVER (PARTITION BY x.name) AS since
          FROM channel_reactions x JOIN users xu ON xu.id = x.user_id WHERE x.message_id = m.id
          ORDER BY since, x.name, place) r
        WHERE r.place <= ${namedReactors} OR r.user_id = ${reader}) AS reactions,
      (SELECT json_object('id', q.id, 'seq', q.seq, 'parent_id', q.parent_id, 'content', substr(q.content, 1, ${quotedText}), ${author("q", "qu", "qf")})
        FROM channel_messages q LEFT JOIN users qu ON qu.id = q.user_id LEFT JOIN channel_webhook_faces qf ON qf.id = q.face_id
        WHERE q.id = m.reply_to_id AND q.deleted_at IS NULL) AS quoted
    FROM channel_messages m LEFT JOIN users mu ON mu.id = m.user_id LEFT JOIN channel_webhook_faces mf ON mf.id = m.face_id
    WHERE ${which}`);
}
