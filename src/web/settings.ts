import * as z from "zod";
import type { Definition } from "../settings/definition.ts";

const address = z.union([z.literal(""), z.url({ protocol: /^https?$/ })]);
/** A key: kept encrypted, so the stored text is longer than what was entered. */
const key = (title: string) =>
  ({
    schema: z.string().max(8000),
    default: "",
    where: "anywhere",
    section: "web",
    type: "text",
    secret: true,
    title,
    description: "Kept encrypted and never shown again.",
  }) as const;
/** A place in the answer of a provider of one's own. */
const fieldPath = (title: string, standard: string, description: string) =>
  ({
    schema: z.string().max(200),
    default: standard,
    where: "anywhere",
    section: "web",
    type: "text",
    title,
    description,
  }) as const;

export const searchEngines = ["", "searxng", "brave", "tavily", "google_pse", "external", "mcp"] as const;

/** Settings of web search and of reading pages. Names are Open WebUI's where it has them. */
export const webSettings = {
  ENABLE_WEB_SEARCH: {
    schema: z.boolean(),
    default: false,
    where: "anywhere",
    section: "web",
    type: "boolean",
    title: "Web search",
    description: "People with the permission can have the web searched for an answer.",
  },
  WEB_SEARCH_ENGINE: {
    schema: z.enum(searchEngines),
    default: "",
    where: "anywhere",
    section: "web",
    type: "choice",
    options: searchEngines,
    title: "Provider",
    description: "Who searches the web. It gets the queries, and nothing else of a chat.",
  },
  SEARXNG_QUERY_URL: {
    schema: address,
    default: "",
    where: "anywhere",
    section: "web",
    type: "text",
    title: "SearXNG: address",
    description: "Such as http://localhost:8888/search. Its settings must allow the format json.",
  },
  BRAVE_SEARCH_API_KEY: key("Brave: key"),
  TAVILY_API_KEY: key("Tavily: key"),
  GOOGLE_PSE_API_KEY: key("Google: key"),
  GOOGLE_PSE_ENGINE_ID: {
    schema: z.string().max(200),
    default: "",
    where: "anywhere",
    section: "web",
    type: "text",
    title: "Google: ID of the search engine",
    description: "The ID (cx) of a Programmable Search Engine.",
  },
  EXTERNAL_WEB_SEARCH_URL: {
    schema: address,
    default: "",
    where: "anywhere",
    section: "web",
    type: "text",
    title: "Your own provider: address",
    description:
      "Answers with JSON. {query} and {count} in the address are replaced, and it is called with GET. Without {query} it gets query and count as JSON with POST.",
  },
  EXTERNAL_WEB_SEARCH_HEADER: {
    schema: z.union([
      z.literal(""),
      z
        .string()
        .max(500)
        .regex(/^[!#$%&'*+.^_`|~\w-]+:[^\r\n]+$/, "Name: value"),
    ]),
    default: "Authorization: Bearer {key}",
    where: "anywhere",
    section: "web",
    type: "text",
    title: "Your own provider: header",
    description: "Name: value. {key} stands for the key. Not sent without a key.",
  },
  EXTERNAL_WEB_SEARCH_API_KEY: key("Your own provider: key"),
  EXTERNAL_WEB_SEARCH_RESULTS: fieldPath(
    "Your own provider: list of results",
    "results",
    "Where the list is in the answer, such as data.items. Empty: the answer is the list.",
  ),
  EXTERNAL_WEB_SEARCH_ADDRESS: fieldPath(
    "Your own provider: address of a result",
    "link",
    "Where it is in a result, such as url or page.href.",
  ),
  EXTERNAL_WEB_SEARCH_TITLE: fieldPath("Your own provider: title of a result", "title", "Where it is in a result."),
  EXTERNAL_WEB_SEARCH_SNIPPET: fieldPath(
    "Your own provider: text of a result",
    "snippet",
    "Where the short text is in a result.",
  ),
  WEB_SEARCH_MCP_SERVER: {
    schema: z.string().max(200),
    default: "",
    where: "anywhere",
    section: "web",
    type: "text",
    title: "MCP: server",
    description: "The ID of a tool server. Only people who may use the server can search.",
  },
  WEB_SEARCH_MCP_TOOL: {
    schema: z.string().max(200),
    default: "",
    where: "anywhere",
    section: "web",
    type: "text",
    title: "MCP: tool",
    description: "The name of its tool that searches. It gets the query as query.",
  },
  WEB_SEARCH_RESULT_COUNT: {
    schema: z.number().int().min(1).max(10),
    default: 4,
    where: "anywhere",
    section: "web",
    type: "number",
    title: "Results",
    description: "How many results are asked for and read for each answer.",
  },
  WEB_SEARCH_DOMAIN_FILTER_LIST: {
    schema: z.array(z.string().regex(/^!?(?:[\p{L}\p{N}-]+\.)*[\p{L}\p{N}-]+$/u, "a domain")).max(500),
    default: [],
    where: "anywhere",
    section: "web",
    type: "list",
    separator: ",",
    title: "Domains",
    description:
      "A domain such as example.org allows only it and what is below it. With ! before it, it is blocked. If empty, all are allowed.",
  },
  ENABLE_SEARCH_QUERY_GENERATION: {
    schema: z.boolean(),
    default: true,
    where: "anywhere",
    section: "web",
    type: "boolean",
    title: "Queries by a model",
    description:
      "The task model turns the conversation into queries first. Otherwise the words of the question are sent.",
  },
  BYPASS_WEB_SEARCH_WEB_LOADER: {
    schema: z.boolean(),
    default: false,
    where: "anywhere",
    section: "web",
    type: "boolean",
    title: "Short texts only",
    description: "The pages are not opened. The model gets the short texts of the results.",
  },
  WEB_SEARCH_CONTEXT_TOKENS: {
    schema: z.number().int().min(200).max(200_000),
    default: 6000,
    where: "anywhere",
    section: "web",
    type: "number",
    title: "Passage limit (tokens)",
    description: "The estimated limit for all passages of pages in an answer.",
  },
  WEB_LOADER_TIMEOUT: {
    schema: z.number().int().min(1).max(120),
    default: 10,
    where: "anywhere",
    section: "web",
    type: "number",
    title: "Time for a page (seconds)",
    description: "A page that is not here by then is left out.",
  },
} as const satisfies Record<string, Definition>;
