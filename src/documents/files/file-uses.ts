import { sql, type SQL } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { readableChannel } from "../../people/grants/readable-channel.ts";
import { readableKnowledge } from "../knowledge/readable.ts";
import { noFile } from "./find-file.ts";
import type { FileUses } from "./schema.ts";

/** Most places of a kind that are named. */
const maxNamed = 20;

/**
 * Where a file of the caller is used, for a person who wants to delete it. Places that the caller can't read are only
 * counted. One round trip.
 * @throws AppError `not_found`, also for files of others
 */
export async function findFileUses(ctx: Context, id: string): Promise<FileUses> {
  const user = requireUser(ctx);
  // SQL: the names of the places that the condition lets through, and how many others there are.
  const places = (from: SQL, name: SQL, isReadable: SQL) =>
    sql`(SELECT json_object('named', (SELECT json_group_array(json_object('id', p.id, 'name', p.name)) FROM
        (SELECT DISTINCT ${name} FROM ${from} AND ${isReadable} LIMIT ${maxNamed}) p),
      'others', (SELECT count(*) FROM ${from} AND NOT ${isReadable})))`;
  const mine = (table: string) => sql`${sql.raw(table)}.user_id IS ${user.id}`;
  const attached = sql`SELECT chats.id, chats.title AS name FROM files f
    JOIN chats ON chats.user_id = f.user_id AND chats.updated_at >= f.created_at
    WHERE f.id = ${id} AND EXISTS (SELECT 1 FROM messages m
      WHERE m.chat_id = chats.id AND (f.chat_id IS chats.id OR instr(m.extra, f.id) > 0)) LIMIT ${maxNamed}`;
  const [row] = await ctx.db.all<{ uses: string | null }>(sql`SELECT json_object(
      'knowledge', json(${places(
        sql`knowledge_files kf JOIN knowledge ON knowledge.id = kf.knowledge_id WHERE kf.file_id = files.id`,
        sql`knowledge.id, knowledge.name`,
        readableKnowledge(user),
      )}),
      'models', json(${places(
        sql`model_knowledge mk JOIN stored_models ON stored_models.id = mk.model_id WHERE mk.kind = 'file' AND mk.target_id = files.id`,
        sql`stored_models.id, stored_models.name`,
        user.role === "admin" ? sql`TRUE` : mine("stored_models"),
      )}),
      'folders', json(${places(
        sql`folder_references fr JOIN folders ON folders.id = fr.folder_id WHERE fr.kind = 'file' AND fr.reference_id = files.id`,
        sql`folders.id, folders.name`,
        mine("folders"),
      )}),
      'channels', json(${places(
        sql`channel_files cf JOIN channels ON channels.id = cf.channel_id WHERE cf.file_id = files.id`,
        sql`channels.id, channels.name`,
        readableChannel(user),
      )}),
      'chats', json((SELECT json_object('named', (SELECT json_group_array(json_object('id', c.id, 'name', c.name)) FROM (${attached}) c), 'others', 0)))
    ) AS uses FROM files WHERE files.id = ${id} AND files.user_id = ${user.id}`);
  if (!row?.uses) throw noFile();
  return JSON.parse(row.uses) as FileUses;
}
