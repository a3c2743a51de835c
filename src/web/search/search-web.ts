import type { Context } from "../../context.ts";
import { askMcp } from "./ask-mcp.ts";
import { askProvider } from "./ask-provider.ts";
import { isAllowedSite, readDomainRules } from "./domain-rules.ts";
import type { SearchResult } from "./provider.ts";
import { chosenProvider } from "./providers.ts";
import { SearchFailure } from "./search-failure.ts";

/** Longest query, UTF-16 units: providers refuse longer ones. */
const maxQuery = 380;
/** More is asked for than is wanted, because some results may be of sites that are not allowed. */
const spare = 4;

/**
 * Pages that fit a query, from allowed sites, in the provider's order. Whether the caller may search is checked by those
 * who call this.
 * @throws SearchFailure
 */
export async function searchWeb(
  ctx: Context,
  { query, count, signal }: { query: string; count: number; signal: AbortSignal },
): Promise<SearchResult[]> {
  const text = query.toWellFormed().replaceAll(/\s+/g, " ").trim().slice(0, maxQuery).toWellFormed();
  if (text === "") throw new SearchFailure("There is nothing to search for");
  const rules = readDomainRules(ctx.settings.WEB_SEARCH_DOMAIN_FILTER_LIST);
  const asked = { query: text, count: count + spare, signal };
  const found = await ask(ctx, asked);
  return found.filter(({ url }) => isAllowedSite(rules, url)).slice(0, count);
}

function ask(ctx: Context, asked: { query: string; count: number; signal: AbortSignal }): Promise<SearchResult[]> {
  if (ctx.settings.WEB_SEARCH_ENGINE === "mcp") return askMcp(ctx, asked);
  const provider = chosenProvider(ctx.settings);
  const missing = provider?.requires.find((name) => ctx.settings[name] === "");
  if (!provider) throw new SearchFailure("No provider is chosen for web search");
  if (missing !== undefined)
    throw new SearchFailure(`${provider.name} needs “${ctx.registry.definitions[missing].title}”`);
  return askProvider(ctx, provider, asked);
}

/** Why a search failed, for people; the cause of what nobody expected is in the log. */
export function explainSearchFailure(ctx: Pick<Context, "log">, error: unknown): string {
  if (error instanceof SearchFailure) return error.message;
  ctx.log.error("a web search failed", { error });
  return "The search failed because of an internal error. The cause is in the log";
}
