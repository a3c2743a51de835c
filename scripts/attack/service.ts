import { signUpByApi } from "../../test/browser/accounts.ts";
import { type Parley, startParley } from "../../test/stack/start-parley.ts";

/** A person of the attacked service. */
export interface Somebody {
  id: string;
  email: string;
  token: string;
}

/** A service of one's own on a free port of 127.0.0.1, which is the only thing that is ever attacked. */
export interface Target {
  parley: Parley;
  admin: Somebody;
  /** Ordinary accounts. */
  attackers: readonly Somebody[];
  /** The others, who must notice nothing. */
  people: readonly Somebody[];
  /** A channel that all of them may read and write. */
  channelId: string;
}

const password = "correct horse battery";

export async function startTarget(attackers: number, people: number): Promise<Target> {
  const parley = await startParley({ env: { DEFAULT_USER_ROLE: "user", ENABLE_API_KEYS: "true" } });
  try {
    const accounts: Somebody[] = [];
    for (let at = 0; at < 1 + attackers + people; at++) {
      const name = `person${at}`;
      const email = `${name}@harbour.example`;
      accounts.push({ email, ...(await signUpByApi(parley.url, { name, email, password })) });
    }
    const [admin, ...others] = accounts as [Somebody, ...Somebody[]];
    const everyone = [{ principal_type: "user", principal_id: "*", permission: "write" }];
    const channel = { token: admin.token, json: { name: "harbour", access_grants: everyone } };
    const { id: channelId } = JSON.parse((await send(parley.url, "POST", "/api/v1/channels/create", channel)).text) as {
      id: string;
    };
    return { parley, admin, attackers: others.slice(0, attackers), people: others.slice(attackers), channelId };
  } catch (error) {
    await parley.stop();
    throw error;
  }
}

export interface Sent {
  token?: string;
  json?: unknown;
  body?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** Sends a request and reads the whole answer. @throws TypeError when the connection fails */
export async function send(
  url: string,
  method: string,
  path: string,
  { token, json, body, headers, signal }: Sent = {},
): Promise<{ status: number; text: string; headers: Headers }> {
  const content = json === undefined ? body : JSON.stringify(json);
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(content === undefined ? {} : { "content-type": "application/json" }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(content === undefined ? {} : { body: content }),
    ...(signal ? { signal } : {}),
    redirect: "manual",
  });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

/** A right sign-in, as somebody makes it in a browser that has never been here. */
export function signIn(url: string, { email }: Somebody) {
  return send(url, "POST", "/api/v1/auths/signin", { json: { email, password } });
}
