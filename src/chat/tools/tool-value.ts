import { isRecord } from "../../lib/json.ts";

/** The return value of a plugin's tool, for a model. */
export interface ToolValue {
  content: string;
  /** Pages to show with the message. */
  embeds: string[];
}

/**
 * Converts a tool's return value to text: text unchanged, nothing as empty, anything else as JSON. A pair of content
 * and headers is the content; HTML to be shown inline (`Content-Disposition: inline`) is shown with the message, as in
 * Open WebUI. Responses were already converted to their content in the isolate.
 */
export function readToolValue(value: unknown): ToolValue {
  const pair = Array.isArray(value) && value.length === 2 ? (value as [unknown, unknown]) : undefined;
  const headers = pair && headersOf(pair[1]);
  if (!pair || !headers) return { content: textOf(value), embeds: [] };
  const content = textOf(pair[0]);
  const isPage = /^text\/html\b/i.test(headers["content-type"] ?? "");
  const isShown = /^inline\b/i.test(headers["content-disposition"] ?? "");
  return isPage && isShown
    ? { content: "The page is shown to the person.", embeds: [content] }
    : { content, embeds: [] };
}

/** The values of a generator: texts are joined. */
export function joinValues(values: readonly unknown[]): unknown {
  return values.every((value) => typeof value === "string") ? values.join("") : values;
}

/** The headers of a content, with lower-case names: they may set its type or how it is shown. */
function headersOf(value: unknown): Record<string, string> | undefined {
  if (!isRecord(value) || !Object.values(value).every((each) => typeof each === "string")) return undefined;
  const headers = Object.fromEntries(Object.entries(value).map(([name, each]) => [name.toLowerCase(), each as string]));
  return "content-type" in headers || "content-disposition" in headers ? headers : undefined;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
