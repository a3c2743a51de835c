import { sql } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { readableFile, readableKnowledge } from "../../documents/knowledge/readable.ts";
import { isRecord } from "../../lib/json.ts";
import type { ReadChat } from "./exported.ts";

/**
 * Removes references to files, knowledge bases and pictures that do not exist for the caller from imported chats. One
 * round trip, or none without references. Counts them in `filesLeftOut`.
 */
export async function dropMissingFiles(ctx: Context, chats: readonly ReadChat[]): Promise<void> {
  const lists = chats.flatMap((read) => listsOf(read).map((holder) => ({ read, holder })));
  const named = new Set(lists.flatMap(({ holder }) => holder.files.map(idOf).filter((id) => id !== undefined)));
  if (named.size === 0) return;
  const user = requireUser(ctx);
  const wanted = sql`(SELECT value FROM json_each(${JSON.stringify([...named])}))`;
  const found = await ctx.db.all<{ id: string }>(
    sql`SELECT files.id AS id FROM files WHERE files.id IN ${wanted} AND ${readableFile(user)}
      UNION ALL SELECT knowledge.id FROM knowledge WHERE knowledge.id IN ${wanted} AND ${readableKnowledge(user)}`,
  );
  const here = new Set(found.map(({ id }) => id));
  for (const { read, holder } of lists) {
    const kept = holder.files.filter((file) => {
      const id = idOf(file);
      return id === undefined || here.has(id);
    });
    read.filesLeftOut += holder.files.length - kept.length;
    holder.set(kept);
  }
}

interface FileList {
  files: unknown[];
  set(files: unknown[]): void;
}

/** Every list of files in a chat: its own and those of its messages. */
function listsOf({ chat: { chat } }: ReadChat): FileList[] {
  return [chat, ...Object.values(chat.history?.messages ?? {})].flatMap((holder: Record<string, unknown>) => {
    const files = holder["files"];
    if (!Array.isArray(files)) return [];
    return [
      {
        files: files as unknown[],
        set(kept: unknown[]) {
          holder["files"] = kept;
        },
      },
    ];
  });
}

/**
 * The id by which an entry refers to something of a service; undefined if the entry is self-contained, such as a data
 * URL.
 */
function idOf(file: unknown): string | undefined {
  if (!isRecord(file)) return undefined;
  const { url, id } = file;
  if (typeof url === "string" && /^(data:|https?:)/i.test(url)) return undefined;
  const inner = isRecord(file["file"]) ? file["file"]["id"] : undefined;
  const inAddress = typeof url === "string" ? (/\/files\/([^/]+)/.exec(url)?.[1] ?? url) : undefined;
  return [id, inner, inAddress].find((text): text is string => typeof text === "string" && text !== "");
}
