import type { BatchItem } from "drizzle-orm/batch";
import * as z from "zod";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { maskedValue } from "../../http/header-rules.ts";
import { isRecord } from "../../lib/json.ts";
import { recheckPeople } from "../../people/recheck.ts";
import type { Document } from "../../people/users/schema.ts";
import {
  changedValues,
  deleteDirect,
  directRows,
  insertDirect,
  maxDirectConnections,
  newRow,
  updateDirect,
} from "./direct-connections.ts";
import type { DirectRow } from "./load-direct.ts";
import { mayUseDirect } from "./may-use-direct.ts";
import { newDirectConnection, type NewDirectConnection } from "./schema.ts";

/** The caller's settings document, for its routes. */
interface OwnSettings {
  get(ctx: Context): Promise<Document>;
  update(ctx: Context, change: Document): Promise<Document>;
}

/**
 * The caller's settings, with their OpenAI-compatible direct connections where clients of Open WebUI look for them
 * (`ui.directConnections`). They are kept, sealed, in their own table only; anyone who may have none does not see them.
 */
export function withDirectConnections(settings: OwnSettings): OwnSettings {
  return {
    async get(ctx) {
      const [document, shown] = await Promise.all([settings.get(ctx), shownConnections(ctx)]);
      return withShown(document, shown);
    },
    async update(ctx, change) {
      const { ui } = change;
      const said = isRecord(ui) && mayUseDirect(ctx) ? saidOf(ui["directConnections"]) : undefined;
      const wanted = said === undefined ? undefined : readWanted(said);
      const statements = wanted && (await replacing(ctx, wanted));
      const document = await settings.update(ctx, withShown(change, undefined));
      if (statements) {
        const [first, ...others] = statements;
        if (first) await ctx.db.batch([first, ...others]);
        await recheckPeople(ctx, [requireUser(ctx).id]);
      }
      return withShown(document, await shownConnections(ctx));
    },
  };
}

/** An object that names no addresses says nothing: it must not delete what is there. */
function saidOf(value: unknown): unknown {
  return isRecord(value) && value["OPENAI_API_BASE_URLS"] === undefined ? undefined : value;
}

/** As Open WebUI has them: lists of the same length, and options by position. */
const shape = z
  .object({
    OPENAI_API_BASE_URLS: z.array(z.string()).max(50).default([]),
    OPENAI_API_KEYS: z.array(z.string().nullish()).max(50).default([]),
    OPENAI_API_CONFIGS: z.record(z.string(), z.unknown()).default({}),
  })
  .nullable();

const options = z
  .object({ enable: z.boolean().nullish(), prefix_id: z.string().nullish(), model_ids: z.array(z.string()).nullish() })
  .catch({});

interface Wanted {
  /** Undefined where the stored one stays. */
  key: string | undefined;
  fields: Omit<NewDirectConnection, "key" | "name" | "quirks">;
}

/** @throws AppError `bad_request` */
function readWanted(said: unknown): Wanted[] {
  const { data, success } = shape.safeParse(said);
  if (!success) throw refuse("must have lists of addresses and keys, as in Open WebUI");
  if (data === null) return [];
  const { OPENAI_API_BASE_URLS: urls, OPENAI_API_KEYS: keys, OPENAI_API_CONFIGS: configs } = data;
  return urls.flatMap((url, at) => {
    if (url.trim() === "") return [];
    // Older versions of its clients have the options by address.
    const { enable, prefix_id: prefixId, model_ids: modelIds } = options.parse(configs[at] ?? configs[url] ?? {});
    const key = keys[at]?.trim() ?? "";
    const parsed = newDirectConnection.safeParse({
      base_url: url,
      key: key === maskedValue ? "" : key,
      enabled: enable ?? true,
      prefix_id: prefixId ?? "",
      model_ids: modelIds ?? [],
    });
    const [issue] = parsed.error?.issues ?? [];
    if (!parsed.success) throw refuse(`${issue!.path.join(".")} of connection ${at + 1}: ${issue!.message}`);
    const { key: given, name: _, quirks: _quirks, ...fields } = parsed.data;
    return [{ key: key === maskedValue ? undefined : given, fields }];
  });
}

/**
 * Statements that give a new account the connections that it had elsewhere.
 * @param said `ui.directConnections` as Open WebUI stores it
 * @throws AppError for what cannot be one
 */
export async function insertConnections(ctx: Context, userId: string, said: unknown): Promise<BatchItem<"sqlite">[]> {
  const wanted = readWanted(said);
  requireFew(wanted.length);
  const rows = await Promise.all(
    wanted.map(({ key, fields }) => newRow(ctx, userId, { ...fields, name: "", key: key ?? "", quirks: {} })),
  );
  return rows.flatMap((row) => insertDirect(ctx, row));
}

function requireFew(count: number): void {
  if (count > maxDirectConnections) throw refuse(`can have at most ${maxDirectConnections} connections`);
}

function refuse(problem: string): AppError {
  return new AppError("bad_request", `ui.directConnections ${problem}`, { param: "ui.directConnections" });
}

/** Statements that make the caller's OpenAI-compatible connections those that are wanted; none for what stays as it is. */
async function replacing(ctx: Context, wanted: readonly Wanted[]) {
  const user = requireUser(ctx);
  const rows = await directRows(ctx, user);
  const left = rows.filter((row) => row.kind === "openai");
  requireFew(wanted.length + rows.length - left.length);
  const statements = [];
  for (const { key, fields } of wanted) {
    const fresh = await newRow(ctx, user.id, { ...fields, name: "", key: key ?? "", quirks: {} });
    const at = left.findIndex((row) => row.baseUrl === fresh.baseUrl);
    const [row] = at < 0 ? [] : left.splice(at, 1);
    if (!row) {
      if (key === undefined) throw refuse(`no key is stored for ${fresh.baseUrl}: enter it`);
      statements.push(...insertDirect(ctx, fresh));
    } else if (!(await isSame(ctx, row, key, fresh))) {
      const { base_url: _, kind: _kind, ...rest } = fields;
      const change = key === undefined ? rest : { ...rest, key };
      statements.push(...updateDirect(ctx, user, row, await changedValues(ctx, row, change)));
    }
  }
  for (const row of left) statements.push(...deleteDirect(ctx, user, row.id));
  return statements;
}

async function isSame(ctx: Context, row: DirectRow, key: string | undefined, fresh: DirectRow): Promise<boolean> {
  const { prefixId, enabled, modelIds } = fresh;
  const isEqual =
    row.prefixId === prefixId && row.enabled === enabled && JSON.stringify(row.modelIds) === JSON.stringify(modelIds);
  if (!isEqual || key === undefined) return isEqual;
  const stored = row.sealedKey === null ? "" : await ctx.vault.open(row.sealedKey).catch(() => undefined);
  return stored === key;
}

/** Undefined where there is nothing to show. */
async function shownConnections(ctx: Context): Promise<Record<string, unknown> | undefined> {
  if (!mayUseDirect(ctx)) return undefined;
  const rows = (await directRows(ctx, requireUser(ctx))).filter((row) => row.kind === "openai");
  if (rows.length === 0) return undefined;
  return {
    OPENAI_API_BASE_URLS: rows.map((row) => row.baseUrl),
    OPENAI_API_KEYS: rows.map((row) => (row.sealedKey === null ? "" : maskedValue)),
    OPENAI_API_CONFIGS: Object.fromEntries(
      rows.map((row, at) => [
        String(at),
        { enable: row.enabled, prefix_id: row.prefixId, model_ids: row.modelIds, connection_type: "external" },
      ]),
    ),
  };
}

/** The document with these in their place, and without any that came with it. */
function withShown(document: Document, shown: Record<string, unknown> | undefined): Document {
  const { ui } = document;
  if (ui !== undefined && !isRecord(ui)) return document;
  if (shown === undefined) return withoutConnections(document);
  return { ...document, ui: { ...ui, directConnections: shown } };
}

/** Settings without the connections in them, whose keys must not be stored there. */
export function withoutConnections(document: Document): Document;
export function withoutConnections(document: Document | undefined): Document | undefined;
export function withoutConnections(document: Document | undefined): Document | undefined {
  const ui = document?.["ui"];
  if (!isRecord(ui) || !("directConnections" in ui)) return document;
  const { directConnections: _, ...rest } = ui;
  return { ...document, ui: rest };
}
