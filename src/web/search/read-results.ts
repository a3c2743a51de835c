import { isRecord, tryParseJson } from "../../lib/json.ts";
import type { ResultFields, SearchResult } from "./provider.ts";

const maxTitle = 300;
const maxSnippet = 2000;
/** Longer addresses are refused by browsers and servers anyway. */
const maxAddress = 2000;

/** The results in a provider's answer, in its order and each page once; undefined if there is no list. */
export function readResults(answer: unknown, fields: ResultFields): SearchResult[] | undefined {
  const list = valueAt(answer, fields.results);
  // Providers that find nothing may leave the list out.
  if (list === undefined || list === null) return isRecord(answer) ? [] : undefined;
  if (!Array.isArray(list)) return undefined;
  return once(
    list.flatMap((entry): SearchResult[] => {
      const url = webAddress(valueAt(entry, fields.url));
      if (url === undefined) return [];
      const title = plainText(valueAt(entry, fields.title)).slice(0, maxTitle).toWellFormed();
      const snippet = plainText(valueAt(entry, fields.snippet)).slice(0, maxSnippet).toWellFormed();
      return [{ url, title: title || hostOf(url), snippet }];
    }),
  );
}

/** Field names that tools use; the first that is there counts. */
const usualFields = {
  list: ["results", "items", "organic", "web.results", "data"],
  url: ["url", "link", "href"],
  title: ["title", "name"],
  snippet: ["snippet", "description", "content", "text"],
} as const;

/** The results in what a tool answered: JSON with a list of pages, or text with addresses in it. */
export function readToolResults(text: string): SearchResult[] {
  const json = tryParseJson(text);
  const lists = Array.isArray(json) ? [json] : usualFields.list.map((path) => valueAt(json, path));
  const list = lists.find((each) => Array.isArray(each) && each.some(isRecord));
  if (!Array.isArray(list)) return readLines(text);
  const first = (entry: unknown, names: readonly string[]) =>
    names.map((name) => valueAt(entry, name)).find((value) => typeof value === "string" && value !== "");
  const plain = list.map((entry: unknown) => ({
    url: first(entry, usualFields.url),
    title: first(entry, usualFields.title),
    snippet: first(entry, usualFields.snippet),
  }));
  return readResults(plain, { results: "", url: "url", title: "title", snippet: "snippet" }) ?? [];
}

/** `[Title](address)`, or `Title: ...` and an address in the lines around it. */
function readLines(text: string): SearchResult[] {
  const found: SearchResult[] = [];
  let title = "";
  for (const line of text.slice(0, 200_000).split("\n")) {
    const linked = /\[([^\]]{1,300})\]\((https?:\/\/[^\s)]+)\)/.exec(line);
    const url = webAddress(linked?.[2] ?? /https?:\/\/[^\s<>"')\]]+/.exec(line)?.[0]);
    if (url !== undefined) {
      found.push({ url, title: (linked?.[1] ?? title) || hostOf(url), snippet: "" });
      title = "";
      continue;
    }
    const said = line.replace(/^\W*(?:title\s*:)?\s*/i, "").trim();
    const last = found.at(-1);
    if (/^\W*title\s*:/i.test(line)) title = said.slice(0, maxTitle);
    else if (last && said !== "") last.snippet = `${last.snippet} ${said}`.trim().slice(0, maxSnippet);
    else title ||= said.slice(0, maxTitle);
  }
  return once(found);
}

function once(results: readonly SearchResult[]): SearchResult[] {
  const seen = new Set<string>();
  return results.filter(({ url }) => {
    const isNew = !seen.has(url);
    seen.add(url);
    return isNew;
  });
}

/** @param path names with dots between; numbers for places in lists */
export function valueAt(value: unknown, path: string): unknown {
  if (path === "") return value;
  return path.split(".").reduce<unknown>((at, name) => {
    if (Array.isArray(at)) return /^\d{1,6}$/.test(name) ? (at as unknown[])[Number(name)] : undefined;
    return isRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }, value);
}

/** An http(s) address without a password and without what is behind `#`. */
export function webAddress(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > maxAddress || !URL.canParse(value.trim())) return undefined;
  const url = new URL(value.trim());
  if (!/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return undefined;
  url.hash = "";
  return url.href;
}

export function hostOf(address: string): string {
  return new URL(address).hostname.replace(/^www\./, "");
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  "#x27": "'",
  nbsp: " ",
};

/** Providers mark the words that were found with tags. */
function plainText(value: unknown): string {
  if (typeof value !== "string") return "";
  return value
    .slice(0, 20_000)
    .replaceAll(/<\/?[a-z][^<>]{0,200}>/gi, "")
    .replaceAll(/&(amp|lt|gt|quot|nbsp|#39|#x27);/gi, (_, name: string) => entities[name.toLowerCase()] ?? "")
    .replaceAll(/\s+/g, " ")
    .trim();
}
