import { sql } from "drizzle-orm";
import { upload } from "../documents/files/run-jobs.ts";
import type { Person, World } from "../world.ts";

const ok = async <T>(world: World, path: string, as: Person, json: unknown): Promise<T> => {
  const { status, body } = await world.call<T>(path, { as, json });
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  return body;
};

/** A chat of two messages, one of them with attached files. */
export async function makeChat(
  world: World,
  as: Person,
  {
    title = "Tides",
    files = [],
    words = "When is high water?",
  }: { title?: string; files?: unknown[]; words?: string } = {},
): Promise<string> {
  const message = (id: string, role: string, content: string, parentId: string | null, extra = {}) => ({
    id,
    role,
    content,
    parentId,
    childrenIds: parentId === null ? ["b"] : [],
    timestamp: 1,
    ...extra,
  });
  const history = {
    currentId: "b",
    messages: { a: message("a", "user", words, null, { files }), b: message("b", "assistant", "At noon.", "a") },
  };
  return (await ok<{ id: string }>(world, "/api/v1/chats/new", as, { chat: { title, models: ["tide"], history } })).id;
}

export async function makeChannel(world: World, as: Person, name = "Pilots"): Promise<string> {
  return (await ok<{ id: string }>(world, "/api/v1/channels/create", as, { name })).id;
}

export async function post(world: World, as: Person, channel: string, json: Record<string, unknown>): Promise<string> {
  return (await ok<{ id: string }>(world, `/api/v1/channels/${channel}/messages/post`, as, json)).id;
}

export const makeFile = async (world: World, as: Person, content = "tide table", name = "tides.md"): Promise<string> =>
  (await upload(world, as, content, { name, query: "?process=false" })).id;

/** Puts the times of these rows so many days back. */
export async function makeOlder(world: World, table: string, ids: readonly string[], days: number): Promise<void> {
  const list = JSON.stringify(ids);
  const unit = table === "channel_messages" ? 1000 : 1;
  const columns = { chats: ["updated_at"], files: ["created_at", "updated_at"], channel_messages: ["created_at"] }[
    table
  ];
  const set = (columns ?? ["at"]).map((column) => `${column} = ${column} - ${days * 86_400 * unit}`).join(", ");
  await world.db.run(
    sql`UPDATE ${sql.raw(table)} SET ${sql.raw(set)} WHERE id IN (SELECT value FROM json_each(${list}))`,
  );
}

export const idsOf = async (world: World, table: string, where = "TRUE"): Promise<string[]> =>
  (await world.client.execute(`SELECT id FROM ${table} WHERE ${where} ORDER BY id`)).rows.map((row) =>
    String(row["id"]),
  );
