import type { SettingName } from "../../compose/settings.ts";
import type { Context } from "../../context.ts";
import { readTextUpTo } from "../../http/read-up-to.ts";
import { tryParseJson } from "../../lib/json.ts";
import { readSecret } from "../read-secret.ts";
import type { SearchProvider, SearchResult } from "./provider.ts";
import { readResults } from "./read-results.ts";
import { SearchFailure } from "./search-failure.ts";

/** Milliseconds: somebody waits for the answer. */
const timeoutMs = 15_000;
/** Bytes: a page of results is far smaller. */
const maxAnswerBytes = 2_000_000;

/**
 * Asks a provider once.
 * @param count how many results are wanted
 * @throws SearchFailure
 */
export async function askProvider(
  ctx: Pick<Context, "settings" | "environment" | "vault" | "outbound">,
  provider: SearchProvider,
  { query, count, signal }: { query: string; count: number; signal: AbortSignal },
): Promise<SearchResult[]> {
  const key = provider.key === undefined ? "" : await keyOf(ctx, provider, provider.key);
  const wanted = String(Math.min(count, provider.maxCount));
  const values: Record<string, string> = { query, count: wanted, key };
  const fill = (text: string): string => fillIn(text, values, ctx.settings);
  const late = AbortSignal.timeout(timeoutMs);
  const response = await ctx.outbound
    .trusted(addressOf(provider, { ...values, query: encodeURIComponent(query) }, fill, ctx.settings), {
      method: provider.method,
      // A redirect would carry the key to another host.
      redirect: "manual",
      headers: {
        accept: "application/json",
        "user-agent": "Parley",
        ...(provider.body ? { "content-type": "application/json" } : {}),
        ...headersOf(provider, key, fill),
      },
      ...(provider.body ? { body: JSON.stringify(bodyOf(provider.body, wanted, fill)) } : {}),
      signal: AbortSignal.any([signal, late]),
    })
    .catch((cause: unknown) => {
      const reason = late.aborted ? `did not answer within ${timeoutMs / 1000} s` : "could not be reached";
      throw new SearchFailure(`${provider.name} ${reason}`, { cause });
    });
  if (!response.ok) {
    await response.body?.cancel();
    throw new SearchFailure(explainStatus(provider, response.status));
  }
  const text = await readTextUpTo(response.body, maxAnswerBytes).catch((cause: unknown) => {
    throw new SearchFailure(`${provider.name} broke off its answer`, { cause });
  });
  const json = text === undefined ? undefined : tryParseJson(text);
  const results = json === undefined ? undefined : readResults(json, provider.fields);
  if (results === undefined) throw new SearchFailure(`The answer of ${provider.name} has no list of results`);
  return results;
}

async function keyOf(
  ctx: Pick<Context, "settings" | "environment" | "vault">,
  provider: SearchProvider,
  name: SettingName,
): Promise<string> {
  try {
    return await readSecret(ctx, name);
  } catch (cause) {
    throw new SearchFailure(`The key of ${provider.name} cannot be decrypted: enter it again`, { cause });
  }
}

function explainStatus({ name }: SearchProvider, status: number): string {
  if (status === 401 || status === 403) return `${name} refused the key or the request (status ${status})`;
  if (status === 429) return `${name} has had too many searches (status 429)`;
  return `${name} returned status ${status}`;
}

/** Values are put in at once, so that none of them is read as a placeholder. */
function fillIn(text: string, values: Readonly<Record<string, string>>, settings: Context["settings"]): string {
  return text.replaceAll(/\{(\w+)\}/g, (all, name: string) => {
    if (Object.hasOwn(values, name)) return values[name]!;
    const value = Object.hasOwn(settings, name) ? settings[name as SettingName] : undefined;
    return typeof value === "string" ? value : all;
  });
}

function addressOf(
  provider: SearchProvider,
  values: Readonly<Record<string, string>>,
  fill: (text: string) => string,
  settings: Context["settings"],
): string {
  // The setting may have {query} in it itself; `<query>` and what stands before it is how Open WebUI writes SearXNG's.
  const base = fillIn(fillIn(provider.address, {}, settings).replace(/\?[^?]*<query>.*$/s, ""), values, settings);
  if (!URL.canParse(base)) throw new SearchFailure(`The address of ${provider.name} is not valid`);
  const url = new URL(base);
  if (provider.address === "{SEARXNG_QUERY_URL}" && url.pathname === "/") url.pathname = "/search";
  for (const [name, value] of Object.entries(provider.query)) url.searchParams.set(name, fill(value));
  return url.href;
}

/** Headers with a key are left out where there is none. */
function headersOf({ headers }: SearchProvider, key: string, fill: (text: string) => string): Record<string, string> {
  const sent = Object.entries(headers).filter(([, value]) => key !== "" || !value.includes("{key}"));
  return Object.fromEntries(sent.map(([name, value]) => [name, fill(value)]));
}

function bodyOf(
  body: Readonly<Record<string, string>>,
  count: string,
  fill: (text: string) => string,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, value === "{count}" ? Number(count) : fill(value)]),
  );
}
