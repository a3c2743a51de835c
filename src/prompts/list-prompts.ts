import { asc, desc, eq, gt, sql } from "drizzle-orm";
import { requireUser } from "../access.ts";
import type { Context } from "../context.ts";
import { containsWords } from "../db/contains-words.ts";
import { escapeLike } from "../db/like.ts";
import {
  amongReadablePrompts,
  promptView,
  readablePrompt,
  offeredPrompt,
  selectPromptGrants,
  selectPrompts,
} from "./prompt-row.ts";
import { unknownPrompt } from "./prompts.ts";
import type { PromptPage, PromptQuery, PromptView } from "./schema.ts";
import { prompts } from "./tables.ts";

/** As in Open WebUI. */
export const pageSize = 30;

/** Prompts that the caller can read, a page of them with the total: one round trip. */
export async function searchPrompts(ctx: Context, input: PromptQuery): Promise<PromptPage> {
  const user = requireUser(ctx);
  const own = sql`prompts.user_id IS ${user.id}`;
  const view = input.view_option === "created" ? own : input.view_option === "shared" ? sql`NOT (${own})` : sql`TRUE`;
  const tagged =
    input.tag === undefined || input.tag === ""
      ? sql`TRUE`
      : sql`EXISTS (SELECT 1 FROM json_each(prompts.tags) t WHERE t.value = ${input.tag})`;
  const words = ["command", "name", "tags"].map((name) => sql.raw(`prompts.${name}`));
  const fits = sql`${amongReadablePrompts(user)} AND ${view} AND ${tagged} AND ${containsWords(input.query, words)} AND ${input.offered ? offeredPrompt(user) : sql`TRUE`}`;
  const order = orderOf(input);
  const offset = (input.page - 1) * pageSize;
  const ids = sql`(SELECT prompts.id FROM prompts WHERE ${readablePrompt(user)} AND ${fits}
    ORDER BY ${sql.join(order, sql`, `)} LIMIT ${pageSize} OFFSET ${offset})`;
  const [rows, given, [counted]] = await ctx.db.batch([
    selectPrompts(ctx.db, user, fits)
      .orderBy(...order)
      .limit(pageSize)
      .offset(offset),
    selectPromptGrants(ctx.db, ids),
    ctx.db.all<{ total: number }>(sql`SELECT count(*) AS total FROM prompts WHERE ${readablePrompt(user)} AND ${fits}`),
  ]);
  return { items: rows.map((row) => promptView(row, given)), total: counted?.total ?? 0 };
}

/** What is offered in chats comes with what begins as it was typed first. */
function orderOf({ offered, query = "", order_by, direction }: PromptQuery) {
  const by = order_by ?? (offered ? "command" : "updated_at");
  const column = {
    name: sql`prompts.name COLLATE NOCASE`,
    command: sql`prompts.command COLLATE NOCASE`,
    created_at: sql.raw("prompts.created_at"),
    updated_at: sql.raw("prompts.updated_at"),
  }[by];
  const isText = by === "name" || by === "command";
  const way = (direction ?? (isText ? "asc" : "desc")) === "asc" ? asc : desc;
  const begins = sql`prompts.command LIKE ${`${escapeLike(query.toWellFormed())}%`} ESCAPE '\\'`;
  return [...(offered && query !== "" ? [desc(begins)] : []), way(column), way(sql.raw("prompts.id"))];
}

/** All prompts that the caller can read, some at a time, so that a list of any length fits into memory. */
export async function* allPrompts(ctx: Context): AsyncGenerator<PromptView> {
  const user = requireUser(ctx);
  let last = "";
  for (;;) {
    const after = gt(prompts.id, last);
    const ids = sql`(SELECT prompts.id FROM prompts WHERE ${amongReadablePrompts(user)} AND ${readablePrompt(user)} AND prompts.id > ${last} ORDER BY prompts.id LIMIT ${pageSize})`;
    const [rows, given] = await ctx.db.batch([
      selectPrompts(ctx.db, user, sql`${amongReadablePrompts(user)} AND ${after}`)
        .orderBy(asc(prompts.id))
        .limit(pageSize),
      selectPromptGrants(ctx.db, ids),
    ]);
    yield* rows.map((row) => promptView(row, given));
    const end = rows.at(-1);
    if (!end || rows.length < pageSize) return;
    last = end.id;
  }
}

/**
 * The prompt with the command: the caller's own before those of others, last changed first.
 * @throws AppError `not_found`
 */
export async function getByCommand(ctx: Context, command: string): Promise<PromptView> {
  const user = requireUser(ctx);
  const [row] = await selectPrompts(
    ctx.db,
    user,
    sql`${amongReadablePrompts(user)} AND ${eq(prompts.command, command.replace(/^\/+/, ""))}`,
  )
    .orderBy(desc(sql`prompts.user_id IS ${user.id}`), desc(offeredPrompt(user)), desc(prompts.updatedAt))
    .limit(1);
  if (!row) throw unknownPrompt();
  return promptView(row, await selectPromptGrants(ctx.db, sql`(${row.id})`));
}

/** The tags of all prompts that the caller can read, without duplicates. */
export async function listPromptTags(ctx: Context): Promise<string[]> {
  const user = requireUser(ctx);
  const rows = await ctx.db.all<{ name: string }>(
    sql`SELECT DISTINCT t.value AS name FROM prompts, json_each(prompts.tags) t
      WHERE ${amongReadablePrompts(user)} AND ${readablePrompt(user)} ORDER BY 1 COLLATE NOCASE`,
  );
  return rows.map((row) => row.name);
}
