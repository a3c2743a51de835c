import type { Settings } from "../../context.ts";
import type { SearchProvider } from "./provider.ts";

/** Providers with a fixed form; what is not said here is not needed to ask one more. */
const known: Readonly<Record<string, SearchProvider>> = {
  searxng: {
    name: "SearXNG",
    method: "GET",
    address: "{SEARXNG_QUERY_URL}",
    requires: ["SEARXNG_QUERY_URL"],
    query: { q: "{query}", format: "json", pageno: "1" },
    headers: {},
    maxCount: 20,
    fields: { results: "results", url: "url", title: "title", snippet: "content" },
  },
  brave: {
    name: "Brave",
    method: "GET",
    address: "https://api.search.brave.com/res/v1/web/search",
    requires: ["BRAVE_SEARCH_API_KEY"],
    key: "BRAVE_SEARCH_API_KEY",
    query: { q: "{query}", count: "{count}" },
    headers: { "x-subscription-token": "{key}" },
    maxCount: 20,
    fields: { results: "web.results", url: "url", title: "title", snippet: "description" },
  },
  tavily: {
    name: "Tavily",
    method: "POST",
    address: "https://api.tavily.com/search",
    requires: ["TAVILY_API_KEY"],
    key: "TAVILY_API_KEY",
    query: {},
    headers: { authorization: "Bearer {key}" },
    body: { query: "{query}", max_results: "{count}" },
    maxCount: 20,
    fields: { results: "results", url: "url", title: "title", snippet: "content" },
  },
  google_pse: {
    name: "Google",
    method: "GET",
    address: "https://www.googleapis.com/customsearch/v1",
    requires: ["GOOGLE_PSE_API_KEY", "GOOGLE_PSE_ENGINE_ID"],
    key: "GOOGLE_PSE_API_KEY",
    query: { q: "{query}", num: "{count}", cx: "{GOOGLE_PSE_ENGINE_ID}", key: "{key}" },
    headers: {},
    maxCount: 10,
    fields: { results: "items", url: "link", title: "title", snippet: "snippet" },
  },
};

/** The provider that the settings choose; undefined for none, and for MCP. */
export function chosenProvider(settings: Settings): SearchProvider | undefined {
  const { WEB_SEARCH_ENGINE: engine } = settings;
  return engine === "external" ? ownProvider(settings) : known[engine];
}

/** A provider that the administrator describes. */
function ownProvider(settings: Settings): SearchProvider {
  const hasQuery = settings.EXTERNAL_WEB_SEARCH_URL.includes("{query}");
  const [, name, value] = /^([^:]+):\s*(.+)$/.exec(settings.EXTERNAL_WEB_SEARCH_HEADER) ?? [];
  return {
    name: "Your own provider",
    method: hasQuery ? "GET" : "POST",
    address: "{EXTERNAL_WEB_SEARCH_URL}",
    requires: ["EXTERNAL_WEB_SEARCH_URL"],
    key: "EXTERNAL_WEB_SEARCH_API_KEY",
    query: {},
    headers: name && value ? { [name.toLowerCase()]: value } : {},
    ...(hasQuery ? {} : { body: { query: "{query}", count: "{count}" } }),
    maxCount: 20,
    fields: {
      results: settings.EXTERNAL_WEB_SEARCH_RESULTS,
      url: settings.EXTERNAL_WEB_SEARCH_ADDRESS,
      title: settings.EXTERNAL_WEB_SEARCH_TITLE,
      snippet: settings.EXTERNAL_WEB_SEARCH_SNIPPET,
    },
  };
}

/** Whether somebody is chosen who can be asked. */
export function hasProvider(settings: Settings): boolean {
  if (settings.WEB_SEARCH_ENGINE === "mcp")
    return settings.WEB_SEARCH_MCP_SERVER !== "" && settings.WEB_SEARCH_MCP_TOOL !== "";
  return chosenProvider(settings)?.requires.every((name) => settings[name] !== "") ?? false;
}
