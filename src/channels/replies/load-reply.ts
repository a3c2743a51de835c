import { sql } from "drizzle-orm";
import type { HeldCredential } from "../../access.ts";
import type { Database } from "../../db/client.ts";
import type { ToldChannel } from "../tell-channel.ts";

/** An answer to write. */
export interface Reply {
  /** Of the message that it stands in. */
  id: string;
  model: string;
  /** What the model was called when it was asked. */
  modelName: string;
  channel: ToldChannel & { kind: "public" | "private" | "direct"; name: string };
  /** The credential of the person who asks. */
  credential: HeldCredential;
  /** Public base address, as they asked it. */
  origin: string;
  /** Place of the message that asks; undefined where it is deleted. */
  question: { id: string; seq: number; parentId: string | null } | undefined;
}

interface ReplyRow {
  id: string;
  model: string;
  model_name: string;
  user_id: string | null;
  credential_kind: HeldCredential["kind"];
  credential_id: string;
  origin: string;
  channel_id: string;
  organization_id: string;
  members_version: number;
  kind: Reply["channel"]["kind"];
  name: string;
  question_id: string | null;
  seq: number | null;
  parent_id: string | null;
}

/** Undefined if there is nothing left to write: the answer has ended or was deleted. One round trip. */
export async function loadReply(db: Database, id: string): Promise<Reply | undefined> {
  const [row] = await db.all<ReplyRow>(sql`
    SELECT m.id, m.model, m.model_name, m.user_id, r.credential_kind, r.credential_id, r.origin,
      c.id AS channel_id, c.organization_id, c.members_version, c.kind, c.name, q.id AS question_id, q.seq, q.parent_id
    FROM channel_messages m JOIN channel_replies r ON r.message_id = m.id JOIN channels c ON c.id = m.channel_id
      LEFT JOIN channel_messages q ON q.id = r.question_id AND q.channel_id = m.channel_id AND q.deleted_at IS NULL
    WHERE m.id = ${id} AND m.state = 'streaming' AND m.deleted_at IS NULL AND c.deleted_at IS NULL`);
  if (!row) return undefined;
  return {
    id: row.id,
    model: row.model,
    modelName: row.model_name,
    channel: {
      id: row.channel_id,
      organizationId: row.organization_id,
      membersVersion: row.members_version,
      kind: row.kind,
      name: row.name,
    },
    // Nobody's credential opens anything, which is what is said then.
    credential: { userId: row.user_id ?? "", kind: row.credential_kind, id: row.credential_id },
    origin: row.origin,
    question: row.question_id === null ? undefined : { id: row.question_id, seq: row.seq!, parentId: row.parent_id },
  };
}
