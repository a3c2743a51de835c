import { isRecord, textField } from "../../../lib/live/live-state.ts";
import { safeLink } from "./safe-link.ts";

/** A page that a search found. */
export interface FoundPage {
  title: string;
  link: string | undefined;
  host: string;
  failed: boolean;
  /** Why it could not be read. */
  reason: string;
}

/** What a status says of a search on the web. */
export interface WebSearch {
  queries: readonly string[];
  pages: readonly FoundPage[];
}

/** Of a status with the queries and pages of a search, also as Open WebUI writes it; undefined for all others. */
export function readWebSearch(status: Record<string, unknown>): WebSearch | undefined {
  const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
  if (!textField(status, "action").startsWith("web_search")) return undefined;
  const queries = list(status["queries"]).filter((query): query is string => typeof query === "string");
  const given = [status["pages"], status["items"]].map(list).find(({ length }) => length > 0) ?? [];
  const pages = given.filter(isRecord).map((page): FoundPage => {
    const address = textField(page, "link") || textField(page, "url");
    const link = safeLink(address);
    return {
      title: textField(page, "title") || address,
      link,
      host: link !== undefined && URL.canParse(link) ? new URL(link).hostname : "",
      failed: page["state"] === "failed",
      reason: textField(page, "reason"),
    };
  });
  return queries.length + pages.length > 0 ? { queries, pages } : undefined;
}
