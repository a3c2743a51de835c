import process from "node:process";
import { StartError } from "../launch/start-error.ts";

/** How a database is created where none is given (docs.turso.tech/api-reference). */
export interface Turso {
  organization: string;
  token: string;
  group: string;
}

/** TURSO_ORGANIZATION, TURSO_API_TOKEN and TURSO_GROUP; undefined without the first two. */
export function readTurso(env: NodeJS.ProcessEnv): Turso | undefined {
  const [organization, token] = [env["TURSO_ORGANIZATION"]?.trim(), env["TURSO_API_TOKEN"]?.trim()];
  if (!organization || !token) return undefined;
  return { organization, token, group: env["TURSO_GROUP"]?.trim() || "default" };
}

/**
 * Creates the database, or takes the one of that name, with a new token for it.
 * @throws StartError with Turso's words when it refuses
 */
export async function createDatabase(turso: Turso, name: string): Promise<{ DB_URL: string; DB_AUTH_TOKEN: string }> {
  const databases = `/v1/organizations/${encodeURIComponent(turso.organization)}/databases`;
  const created = await ask<{ database: { Hostname: string } }>(turso, "POST", databases, { name, group: turso.group });
  const { database } =
    created ?? (await ask<{ database: { Hostname: string } }>(turso, "GET", `${databases}/${name}`))!;
  const { jwt } = (await ask<{ jwt: string }>(turso, "POST", `${databases}/${name}/auth/tokens`))!;
  return { DB_URL: `libsql://${database.Hostname}`, DB_AUTH_TOKEN: jwt };
}

/** @returns undefined for what exists already */
async function ask<T>({ token }: Turso, method: string, path: string, body?: object): Promise<T | undefined> {
  const base = process.env["TURSO_API_BASE_URL"] ?? "https://api.turso.tech";
  let response;
  try {
    response = await fetch(base + path, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  } catch (error) {
    throw new StartError(`Turso cannot be reached (${String((error as Error).cause ?? error)}).`, "unavailable");
  }
  if (response.status === 409) return undefined;
  const text = await response.text();
  if (!response.ok)
    throw new StartError(`Turso refused (status ${response.status}): ${text.slice(0, 200)}`, "unavailable");
  return JSON.parse(text) as T;
}
