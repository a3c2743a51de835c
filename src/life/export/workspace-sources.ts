import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { defaultPermissionsRow } from "../../people/auth/resolve-actor.ts";
import type { Definition } from "../../settings/definition.ts";
import {
  type ExportedRecord,
  type Extent,
  flagJson,
  fromOwned,
  grantsJson,
  ofService,
  type RecordKind,
  timesJson,
} from "./record-source.ts";

/** Opens a sealed value. Undefined if there is no value, or the key that sealed it is lost. */
async function open({ vault }: Pick<Context, "vault">, sealed: unknown): Promise<string | undefined> {
  if (typeof sealed !== "string") return undefined;
  return vault.open(sealed).catch(() => undefined);
}

const lost = "the key that sealed it is lost";

/** A plugin with its valves where secrets go along, and otherwise with a note. */
async function finishPlugin(
  ctx: Context,
  { sealed, ...record }: ExportedRecord,
  extent: Extent,
): Promise<ExportedRecord> {
  if (sealed === null) return record;
  if (!extent.withSecrets) return { ...record, left: ["its settings (valves)"] };
  const opened = await open(ctx, sealed);
  return opened === undefined
    ? { ...record, left: [`its settings (valves): ${lost}`] }
    : { ...record, valves: JSON.parse(opened) as unknown };
}

function pluginKind(family: "function" | "tool"): RecordKind {
  const more =
    family === "function"
      ? sql`'type', t.type, 'is_active', ${flagJson("t.is_active")}, 'is_global', ${flagJson("t.is_global")}`
      : sql`'is_off', ${flagJson("t.is_off")}, 'access_grants', ${grantsJson("tool")}`;
  return (extent) => ({
    row: sql`json_object('kind', t.family, 'id', t.id, 'person_id', t.user_id, 'name', t.name, 'content', t.source, 'meta', json(t.meta),
      'hosts', json(t.hosts), 'origin', json(t.origin), 'runner', t.runner, 'budget', iif(t.budget IS NULL, NULL, json_object(
        'calls_per_minute', t.budget ->> 'callsPerMinute', 'seconds_per_call', t.budget ->> 'secondsPerCall',
        'bytes_out_per_minute', t.budget ->> 'bytesOutPerMinute')), 'sealed', t.sealed_valves, ${more}, ${timesJson})`,
    from: fromOwned("plugins", extent, sql`t.family = ${family}`),
    order: ["t.id"],
    pageLength: 20,
    finish: finishPlugin,
  });
}

const userValves: RecordKind = ofService(({ withSecrets }) =>
  withSecrets
    ? {
        row: sql`json_object('kind', 'user_valves', 'id', t.family || '/' || t.plugin_id || '/' || t.user_id, 'person_id', t.user_id,
          'family', t.family, 'plugin', t.plugin_id, 'sealed', t.sealed_values)`,
        from: sql`FROM plugin_user_valves t WHERE TRUE`,
        order: ["t.family", "t.plugin_id", "t.user_id"],
        pageLength: 100,
        async finish(ctx, { sealed, ...record }) {
          const opened = await open(ctx, sealed);
          return opened === undefined ? undefined : { ...record, values: JSON.parse(opened) as unknown };
        },
      }
    : undefined,
);

const model: RecordKind = (extent) => ({
  row: sql`json_object('kind', 'model', 'id', t.id, 'person_id', t.user_id, 'base_model_id', t.base_model_id, 'name', t.name,
    'meta', json(t.meta), 'params', json(t.params), 'picture', (SELECT p.url FROM model_pictures p WHERE p.model_id = t.id),
    'knowledge', (SELECT json_group_array(json_object('type', k.kind, 'id', k.target_id)) FROM (SELECT * FROM model_knowledge
      WHERE model_id = t.id AND organization_id IS NULL ORDER BY created_at, id) k),
    'is_active', ${flagJson("t.is_active")}, 'access_grants', ${grantsJson("model")}, ${timesJson})`,
  from: fromOwned("stored_models", extent),
  order: ["t.id"],
  pageLength: 50,
});

const prompt: RecordKind = (extent) => ({
  row: sql`json_object('kind', 'prompt', 'id', t.id, 'person_id', t.user_id, 'organization_id', t.organization_id, 'command', t.command,
    'name', t.name, 'content', t.content, 'tags', json(t.tags), 'is_active', ${flagJson("t.is_active")}, 'version_id', t.version_id,
    'versions', (SELECT json_group_array(json_object('id', v.id, 'parent_id', v.parent_id, 'command', v.command, 'name', v.name,
      'content', v.content, 'tags', json(v.tags), 'message', v.message, 'person_id', v.user_id, 'created_at', v.created_at))
      FROM (SELECT * FROM prompt_versions WHERE prompt_id = t.id ORDER BY id) v),
    'access_grants', ${grantsJson("prompt")}, ${timesJson})`,
  from: fromOwned("prompts", extent),
  order: ["t.id"],
  pageLength: 20,
});

const connection: RecordKind = ofService(() => ({
  row: sql`json_object('kind', 'connection', 'id', t.id, 'type', t.kind, 'name', t.name, 'base_url', t.base_url, 'organization_id', t.organization_id,
    'prefix_id', t.prefix_id, 'model_ids', json(t.model_ids), 'tags', json(t.tags), 'enabled', ${flagJson("t.enabled")}, 'quirks', json(t.quirks),
    'policy', json(t.policy), 'sealed_key', t.sealed_key, 'sealed_headers', t.sealed_headers)`,
  from: sql`FROM connections t WHERE TRUE`,
  order: ["t.id"],
  pageLength: 50,
  async finish(ctx, { sealed_key: sealedKey, sealed_headers: sealedHeaders, ...record }, { withSecrets }) {
    const [key, headers] = withSecrets ? await Promise.all([open(ctx, sealedKey), open(ctx, sealedHeaders)]) : [];
    const why = withSecrets ? `: ${lost}` : "";
    const left = [
      ...(sealedKey !== null && key === undefined ? [`its key${why}`] : []),
      ...(sealedHeaders !== null && headers === undefined ? [`its headers${why}`] : []),
    ];
    return {
      ...record,
      ...(key === undefined ? {} : { key }),
      ...(headers === undefined ? {} : { headers: JSON.parse(headers) as unknown }),
      ...(left.length === 0 ? {} : { left }),
    };
  },
}));

/** Whether a setting holds secrets, all or in a part of it. */
export function isSecretSetting(ctx: Pick<Context, "registry">, name: string): boolean {
  const definitions: Record<string, Definition> = ctx.registry.definitions;
  return (
    Object.hasOwn(definitions, name) && (definitions[name]!.secret === true || definitions[name]!.audited !== undefined)
  );
}

/** Notices are not among the settings, and go along as one. */
const bannersName = "banners";

const setting: RecordKind = ofService(() => ({
  row: sql`json_object('kind', 'setting', 'id', t.name, 'name', t.name, 'value', json(t.value))`,
  from: sql`FROM (SELECT name, value FROM settings UNION ALL SELECT ${bannersName}, (SELECT json_group_array(json_object('id', b.id,
    'type', b.type, 'title', b.title, 'content', b.content, 'dismissible', ${flagJson("b.dismissible")}, 'timestamp', b.timestamp))
    FROM (SELECT * FROM banners ORDER BY position) b) WHERE EXISTS (SELECT 1 FROM banners)) t WHERE TRUE`,
  order: ["t.name"],
  finish(ctx, record, { withSecrets }) {
    const name = String(record["name"]);
    const isKnown =
      name === defaultPermissionsRow || name === bannersName || Object.hasOwn(ctx.registry.definitions, name);
    return isKnown && (withSecrets || !isSecretSetting(ctx, name)) ? record : undefined;
  },
}));

export const pluginKinds: readonly (readonly [string, RecordKind])[] = [
  ["function", pluginKind("function")],
  ["tool", pluginKind("tool")],
  ["user_valves", userValves],
];
export const workspaceKinds: readonly (readonly [string, RecordKind])[] = [
  ["model", model],
  ["prompt", prompt],
  ["connection", connection],
  ["setting", setting],
];
