import { isObject, jsonOf } from "../read-values.ts";
import type { Reader, RowSource, Translated } from "../row-source.ts";
import { hasTable } from "../rows-in-order.ts";
import { at, textsIn } from "./common-fields.ts";

/** What a setting is called there, what it is called here, and how its value is written here. */
const known: Record<string, { name: string; value: (value: unknown) => unknown }> = {
  "ui.enable_signup": { name: "ENABLE_SIGNUP", value: same },
  "ui.default_user_role": { name: "DEFAULT_USER_ROLE", value: same },
  "ui.default_models": { name: "DEFAULT_MODELS", value: (value) => (Array.isArray(value) ? value.join(",") : value) },
  "ui.default_pinned_models": {
    name: "DEFAULT_PINNED_MODELS",
    value: (value) => (Array.isArray(value) ? value.join(",") : value),
  },
  "ui.pending_user_overlay_title": { name: "PENDING_USER_OVERLAY_TITLE", value: same },
  "ui.pending_user_overlay_content": { name: "PENDING_USER_OVERLAY_CONTENT", value: same },
  "ui.enable_user_webhooks": { name: "ENABLE_USER_WEBHOOKS", value: same },
  "ui.enable_message_rating": { name: "ENABLE_MESSAGE_RATING", value: same },
  "auth.admin.show": { name: "SHOW_ADMIN_DETAILS", value: same },
  "auth.admin.email": { name: "ADMIN_EMAIL", value: same },
  "auth.jwt_expiry": { name: "JWT_EXPIRES_IN", value: same },
  "auth.enable_api_keys": { name: "ENABLE_API_KEYS", value: same },
  "channels.enable": { name: "ENABLE_CHANNELS", value: same },
  "memories.enable": { name: "ENABLE_MEMORIES", value: same },
  "code_execution.enable": { name: "ENABLE_CODE_EXECUTION", value: same },
  "code_interpreter.enable": { name: "ENABLE_CODE_INTERPRETER", value: same },
  "task.title.enable": { name: "ENABLE_TITLE_GENERATION", value: same },
  "task.tags.enable": { name: "ENABLE_TAGS_GENERATION", value: same },
  "task.model.default": { name: "TASK_MODEL", value: same },
  "task.query.retrieval.enable": { name: "ENABLE_RETRIEVAL_QUERY_GENERATION", value: same },
  "rag.top_k": { name: "RAG_TOP_K", value: same },
  "rag.file.max_size": { name: "RAG_FILE_MAX_SIZE", value: same },
  "rag.file.max_count": { name: "RAG_FILE_MAX_COUNT", value: same },
  "rag.file.allowed_extensions": { name: "RAG_ALLOWED_FILE_EXTENSIONS", value: same },
  "ui.banners": { name: "banners", value: (value) => (Array.isArray(value) && value.length > 0 ? value : undefined) },
  "user.permissions": { name: "permissions.default", value: same },
};

/** Connections are made of several of these each. */
const connectionKeys = [
  "openai.enable",
  "openai.api_base_urls",
  "openai.api_keys",
  "openai.api_configs",
  "ollama.enable",
  "ollama.base_urls",
  "ollama.api_configs",
];

function same(value: unknown): unknown {
  return value;
}

type Find = (key: string) => unknown;

/** Connections to providers, and those settings that there are here too. */
export const configReader: Reader = {
  name: "config",
  tables: ["config"],
  async *read({ source }) {
    if (!(await hasTable(source, "config"))) return;
    const { find, count } = await readConfig(source);
    yield* connectionsOf("openai", find);
    yield* connectionsOf("ollama", find);
    for (const [key, { name, value }] of Object.entries(known)) {
      const found = find(key);
      if (found === undefined || found === null || found === "") continue;
      const here = value(found);
      if (here !== undefined) yield { record: { kind: "setting", id: key, name, value: here } };
    }
    const used = [...Object.keys(known), ...connectionKeys].filter((key) => find(key) !== undefined).length;
    if (count > used)
      yield {
        leftOut: { kind: "setting", id: "others", reason: `${count - used} settings that don't exist here` },
      };
  },
};

/** A row for each setting; in older versions one document for all of them. */
async function readConfig(source: RowSource): Promise<{ find: Find; count: number }> {
  const columns = await source.columns("config");
  if (columns.has("key")) {
    const values = new Map<unknown, unknown>();
    for await (const row of source.rows("config", "key")) values.set(row["key"], jsonOf(row, "value"));
    return { find: (key) => values.get(key), count: values.size };
  }
  let document: unknown;
  for await (const row of source.rows("config", "id")) document = jsonOf(row, "data") ?? document;
  const find: Find = (key) => at(document, ...key.split("."));
  return { find, count: countLeaves(document, "") };
}

/** What counts as one setting has a name of its own here, or is no object. */
function countLeaves(value: unknown, path: string): number {
  if (!isObject(value) || (path !== "" && (Object.hasOwn(known, path) || connectionKeys.includes(path))))
    return path === "" ? 0 : 1;
  return Object.entries(value)
    .map(([name, inner]) =>
      name === "version" && path === "" ? 0 : countLeaves(inner, path === "" ? name : `${path}.${name}`),
    )
    .reduce((sum, count) => sum + count, 0);
}

function* connectionsOf(family: "openai" | "ollama", find: Find): Generator<Translated> {
  const urls = textsOrNothing(find(family === "openai" ? "openai.api_base_urls" : "ollama.base_urls"));
  const keys = find("openai.api_keys");
  const configs = find(`${family}.api_configs`);
  const isOn = find(`${family}.enable`) !== false;
  for (const [index, url] of urls.entries()) {
    if (url === "") continue;
    const config = at(configs, String(index)) ?? at(configs, url);
    const id = `${family}.${index}`;
    const key = family === "openai" ? (Array.isArray(keys) ? (keys[index] as unknown) : undefined) : at(config, "key");
    const prefix = at(config, "prefix_id");
    const reason = unlike(config);
    if (reason !== undefined) {
      yield { leftOut: { kind: "connection", id, reason } };
      continue;
    }
    yield {
      record: {
        kind: "connection",
        id,
        type: family === "openai" ? "openai" : "local",
        base_url: url.slice(0, 2000),
        key: typeof key === "string" ? key : "",
        prefix_id: typeof prefix === "string" ? prefix : "",
        model_ids: textsIn(at(config, "model_ids")),
        tags: tagsOf(at(config, "tags")),
        enabled: isOn && at(config, "enable") !== false,
        left:
          isObject(at(config, "headers")) && Object.keys(at(config, "headers") as object).length > 0
            ? ["its headers"]
            : [],
      },
    };
  }
}

/** With the empty ones: the keys are counted by their places. */
function textsOrNothing(value: unknown): string[] {
  return Array.isArray(value) ? value.map((each) => (typeof each === "string" ? each : "")) : [];
}

function tagsOf(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return textsIn(value.map((tag: unknown) => (isObject(tag) ? tag["name"] : tag)));
}

/** Why a connection cannot be made here. */
function unlike(config: unknown): string | undefined {
  if (at(config, "azure") === true) return "Connections to Azure aren't imported: add it yourself";
  const type = at(config, "auth_type");
  return type === undefined || type === null || type === "bearer" || type === "none"
    ? undefined
    : "It doesn't sign in with a key: add it yourself";
}
