import { isRecord } from "../../lib/json.ts";

/** What a tool of a plugin returned, as a model is told it. */
export interface ToolValue {
  content: string;
  /** Pages to be shown with the message: the tool answered with HTML that is to be shown where it is. */
  embeds: string[];
}

/**
 * Brings what a tool returned into text: text as it is, nothing as nothing, anything else as JSON; pairs of a content and its
 * headers, and HTTP responses, by their content (HTML that says `Content-Disposition: inline` is shown with the message
 * instead, as at the peer); bytes as what they are, if they are text.
 * @param name the tool's, for what is said in place of a page
 */
export function readToolValue(value: unknown, name: string): ToolValue {
  const response = asResponse(value);
  if (!response) return { content: textOf(value), embeds: [] };
  const { headers, body, context } = response;
  const type = headers.get("content-type") ?? "";
  if (/^text\/html\b/i.test(type) && /^inline\b/i.test(headers.get("content-disposition") ?? "")) {
    const content = context === undefined ? `${name}: the page is shown to the person now.` : textOf(context);
    return { content, embeds: [textOf(body)] };
  }
  return { content: textOf(body), embeds: [] };
}

interface ToolResponse {
  headers: Headers;
  body: unknown;
  /** What the model is told in place of a page. */
  context?: unknown;
}

/** Responses (`{status_code, headers, body}`), pairs `[content, headers]`, and pairs of a response and what to say of it. */
function asResponse(value: unknown): ToolResponse | undefined {
  if (Array.isArray(value) && value.length === 2) {
    const [content, second] = value as [unknown, unknown];
    const inner = asResponse(content);
    if (inner && !Array.isArray(content)) return { ...inner, context: second };
    const headers = headersOf(second);
    return headers && { headers, body: content };
  }
  if (!isRecord(value) || !("body" in value)) return undefined;
  const isResponse = typeof (value["status_code"] ?? value["status"]) === "number" && isRecord(value["headers"]);
  const headers = isResponse ? readHeaders(value["headers"] as Record<string, unknown>) : undefined;
  return headers && { headers, body: value["body"] };
}

/** An object that plainly is the headers of a content: one of them says what it is or how it is shown. */
function headersOf(value: unknown): Headers | undefined {
  if (!isRecord(value)) return undefined;
  const names = Object.keys(value).map((name) => name.toLowerCase());
  return names.some((name) => name === "content-type" || name === "content-disposition")
    ? readHeaders(value)
    : undefined;
}

function readHeaders(values: Record<string, unknown>): Headers | undefined {
  const headers = new Headers();
  try {
    for (const [name, value] of Object.entries(values)) if (typeof value === "string") headers.set(name, value);
  } catch {
    return undefined;
  }
  return headers;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  return JSON.stringify(value) ?? "";
}
