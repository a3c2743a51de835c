import { pagesOf } from "../pages-of.ts";
import { flagOf, isObject, jsonOf, objectOf, secondsOf, textOf } from "../read-values.ts";
import type { Reader, Row, Translated } from "../row-source.ts";
import { hasTable } from "../rows-in-order.ts";
import { given, idOf, timesOf } from "./common-fields.ts";

/** People, with the hashes of their passwords and who they are at the providers that they sign in with. */
export const peopleReader: Reader = {
  name: "people",
  tables: ["user"],
  async *read({ source }) {
    const hasAuths = await hasTable(source, "auth");
    for await (const page of pagesOf(source.rows("user", "id"))) {
      const ids = page.flatMap((row) => textOf(row, "id") ?? []);
      const auths = hasAuths ? await source.rowsOf("auth", "id", ids, "id") : [];
      const authOf = new Map(auths.map((row) => [row["id"], row]));
      for (const row of page) yield translate(row, authOf.get(row["id"]));
    }
  },
};

function translate(row: Row, auth: Row | undefined): Translated {
  const id = idOf(row);
  if (id === undefined) return { leftOut: { kind: "person", id: "", reason: "Its id can't be used" } };
  const email = textOf(row, "email") ?? (auth && textOf(auth, "email"));
  if (email === undefined) return { leftOut: { kind: "person", id, reason: "It has no address" } };
  const role = row["role"];
  const settings = objectOf(row, "settings");
  return {
    record: {
      kind: "person",
      id,
      name: (textOf(row, "name") ?? email).slice(0, 5000),
      email: email.slice(0, 1000),
      role: role === "admin" || role === "user" ? role : "pending",
      active: auth === undefined || auth["active"] === null || auth["active"] === undefined || flagOf(auth, "active"),
      ...given({
        password: auth && textOf(auth, "password")?.slice(0, 1000),
        picture: pictureOf(row),
        bio: textOf(row, "bio"),
        gender: textOf(row, "gender"),
        date_of_birth: dayOf(row["date_of_birth"]),
        timezone: textOf(row, "timezone"),
        status_emoji: textOf(row, "status_emoji"),
        status_message: textOf(row, "status_message"),
        status_expires_at: secondsOf(row, "status_expires_at"),
        settings: settings && withoutSecrets(settings),
        direct_connections: connectionsIn(settings),
        info: objectOf(row, "info"),
        last_active_at: secondsOf(row, "last_active_at"),
      }),
      oauth: identitiesOf(oauthOf(row), "sub"),
      scim: identitiesOf(unwrapped(jsonOf(row, "scim")), "external_id"),
      ...timesOf(row),
      left: leftOf(row, auth, settings),
    },
  };
}

/** A picture that is larger than any that is kept is not sent at all. */
function pictureOf(row: Row): string | undefined {
  const picture = textOf(row, "profile_image_url");
  return picture !== undefined && picture.length > 2_000_000 ? "too large" : picture;
}

/** A date as text in SQLite, and perhaps a value of its own in Postgres. */
function dayOf(value: unknown): string | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString().slice(0, 10);
  return typeof value === "string" && value !== "" ? value.slice(0, 10) : undefined;
}

/** Some versions have stored JSON within JSON. */
function unwrapped(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return undefined;
  }
}

/** `{<provider>: {sub}}`; older versions have `<provider>@<sub>`. */
function oauthOf(row: Row): unknown {
  const oauth = unwrapped(jsonOf(row, "oauth"));
  if (isObject(oauth)) return oauth;
  const old = textOf(row, "oauth_sub");
  const sign = old?.indexOf("@") ?? -1;
  return old === undefined || sign < 1 ? undefined : { [old.slice(0, sign)]: { sub: old.slice(sign + 1) } };
}

function identitiesOf(value: unknown, field: "sub" | "external_id"): Record<string, Record<string, string>> {
  if (!isObject(value)) return {};
  const found = Object.entries(value).flatMap(([provider, identity]): [string, Record<string, string>][] => {
    const id = isObject(identity) ? identity[field] : undefined;
    const text = typeof id === "number" ? String(id) : id;
    const isKept = typeof text === "string" && text !== "" && text.length <= 500;
    return isKept && provider !== "" && provider.length <= 100 ? [[provider, { [field]: text }]] : [];
  });
  return Object.fromEntries(found);
}

/** Providers that the person pays for: undefined where there are none. */
function connectionsIn(settings: Record<string, unknown> | undefined): Record<string, unknown> | undefined {
  const ui = isObject(settings?.["ui"]) ? settings["ui"] : {};
  const found = isObject(ui["directConnections"]) ? ui["directConnections"] : {};
  const { OPENAI_API_BASE_URLS: urls, OPENAI_API_KEYS: keys, OPENAI_API_CONFIGS: configs } = found;
  if (!Array.isArray(urls) || urls.length === 0) return undefined;
  return {
    OPENAI_API_BASE_URLS: urls as unknown,
    ...given({ OPENAI_API_KEYS: keys, OPENAI_API_CONFIGS: configs }),
  };
}

/** What plugins were told comes as records of its own; keys of providers are not kept in settings here. */
function withoutSecrets(settings: Record<string, unknown>): Record<string, unknown> {
  const { tools: _tools, functions: _functions, ui, ...rest } = settings;
  if (!isObject(ui)) return rest;
  const { directConnections: _connections, toolServers: _servers, terminalServers: _terminals, ...kept } = ui;
  return { ...rest, ui: kept };
}

function leftOf(row: Row, auth: Row | undefined, settings: Record<string, unknown> | undefined): string[] {
  const ui = isObject(settings?.["ui"]) ? settings["ui"] : {};
  const has = (value: unknown) =>
    Array.isArray(value) ? value.length > 0 : isObject(value) ? Object.keys(value).length > 0 : Boolean(value);
  const mfa = auth && objectOf(auth, "mfa");
  const found: Record<string, boolean> = {
    "the banner picture": textOf(row, "profile_banner_image_url") !== undefined,
    "the variables for prompts": has(objectOf(row, "variables")),
    "sign-in with a second factor": has(mfa?.["secret"]),
    "their own tool servers": has(ui["toolServers"]) || has(ui["terminalServers"]),
  };
  return Object.keys(found).filter((name) => found[name]);
}
