import { readTextUpTo } from "../../http/read-up-to.ts";
import { tryParseJson } from "../../lib/json.ts";
import { explainRejection } from "../../upstream/errors/explain-rejection.ts";
import {
  failureOfStatus,
  networkProblem,
  notAModelList,
  ProviderFailure,
} from "../../upstream/errors/provider-failure.ts";
import { secretsOf } from "../connections/connection.ts";
import type { ProviderList, Target } from "./driver.ts";

/** Maximum size of a model list, in bytes: several times that of the largest aggregator. */
const maxBytes = 16_000_000;
/** The same of people's own connections: anybody may point one at anything. */
const maxOwnBytes = 4_000_000;

/**
 * Headers of every call over a connection, their names in lower case. The administrator's headers override those derived from the
 * key.
 */
export function headersOf(connection: Target, more: Record<string, string> = {}): Record<string, string> {
  return joinHeaders(more, connection.key ? { authorization: `Bearer ${connection.key}` } : {}, connection.headers);
}

/** Their names in lower case; the last of each name counts. */
export function joinHeaders(...given: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  const pairs = given.flatMap((each) => Object.entries(each));
  return Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value]));
}

/**
 * The JSON at an address of a provider. Redirects are not followed, because they would send keys to another host.
 * @param headers those of the call, if the provider needs its key in another form
 * @throws ProviderFailure
 */
export async function fetchList(
  connection: Target,
  url: string,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
  headers: HeadersInit = headersOf(connection, { accept: "application/json" }),
): Promise<unknown> {
  const secrets = secretsOf(connection);
  let response: Response;
  try {
    response = await fetch(url, { headers, redirect: "manual", signal });
  } catch (error) {
    throw await explainRejection(error, url, fetch, signal);
  }
  const most = connection.ownerId === undefined ? maxBytes : maxOwnBytes;
  const text = await readText(response, url, most).catch((error: unknown) => {
    throw error instanceof ProviderFailure ? error : networkProblem("unreachable", url, error);
  });
  if (!response.ok) throw failureOfStatus(response, text, url, secrets);
  const value = tryParseJson(text);
  if (value === undefined) throw notAModelList(url, text, secrets);
  return value;
}

async function readText(response: Response, url: string, most: number): Promise<string> {
  const text = await readTextUpTo(response.body, most);
  if (text !== undefined) return text;
  throw new ProviderFailure(
    "too_large",
    `The model list of ${new URL(url).host} is larger than ${most / 1_000_000} MB`,
  );
}

/**
 * The list at the first root that has one, starting with the most likely.
 * @throws ProviderFailure of the first root, whose message is the most useful
 */
export async function firstList(
  [likely, ...others]: readonly [string, ...string[]],
  listAt: (root: string) => Promise<ProviderList>,
): Promise<ProviderList> {
  try {
    return await listAt(likely);
  } catch (error) {
    if (!isElsewhere(error)) throw error;
    for (const root of others) {
      const list = await listAt(root).catch(() => undefined);
      if (list) return list;
    }
    throw error;
  }
}

/** Whether the list may be at another root: the provider responds, but not with a list. */
export function isElsewhere(error: unknown): boolean {
  return error instanceof ProviderFailure && (error.reason === "not_found" || error.reason === "not_a_model_list");
}
