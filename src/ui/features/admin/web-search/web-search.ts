import type { SearchTrialResult } from "../../../../web/schema.ts";
import { api } from "../../../lib/api.ts";

/** Which provider each setting belongs to; the others are for all. */
const ofEngine: Readonly<Record<string, string>> = {
  SEARXNG_QUERY_URL: "searxng",
  BRAVE_SEARCH_API_KEY: "brave",
  TAVILY_API_KEY: "tavily",
};

/** Whether a setting says anything with the chosen provider. */
export function isOfEngine(setting: string, engine: unknown): boolean {
  const named = ofEngine[setting];
  if (named !== undefined) return named === engine;
  if (setting.startsWith("GOOGLE_PSE_")) return engine === "google_pse";
  if (setting.startsWith("EXTERNAL_WEB_SEARCH_")) return engine === "external";
  return setting.startsWith("WEB_SEARCH_MCP_") ? engine === "mcp" : true;
}

/** Asks the provider that is stored. It has longer than usual. */
export function trySearch(query: string): Promise<SearchTrialResult> {
  return api("POST", "/api/v1/retrieval/web/try", { body: { query }, timeout: 40_000 });
}
