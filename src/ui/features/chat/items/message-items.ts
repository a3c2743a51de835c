import { isRecord, textField } from "../../../lib/live/live-state.ts";
import { readWebSearch, type WebSearch } from "./read-web-search.ts";
import { sayStatus } from "./status-texts.ts";

/** A step of progress, as plugins report it. */
export interface Status {
  description: string;
  /** Names the work, where the one who does it says so; what it says next takes the place of what it said. */
  action: string;
  done: boolean;
  /** Belongs to the history only. */
  hidden: boolean;
  /** What was searched on the web. */
  search?: WebSearch;
}

/** A call of a tool by the model. Times in epoch seconds. */
export interface ToolStep {
  callId: string;
  name: string;
  title: string;
  /** Name of the plugin or server that the tool belongs to. */
  source: string;
  /** Id of the service's own tools that it is one of; empty for all others. */
  builtIn: string;
  /** As the model wrote them: JSON, if it wrote well. */
  arguments: string;
  state: "running" | "done" | "error";
  result: string;
  /** The result goes on; the whole of it is kept by the service. */
  isCut: boolean;
  error: string;
  /** Where in the text it was called, in UTF-16 units. */
  at: number;
  startedAt: number | undefined;
  endedAt: number | undefined;
}

/** What stands with a message beside its text. */
export interface MessageItems {
  statuses: readonly Status[];
  tools: readonly ToolStep[];
  /** Sources, files and embeds as they came: what shows them reads them. */
  sources: readonly unknown[];
  files: readonly unknown[];
  embeds: readonly unknown[];
  followUps: readonly string[];
  favorite: boolean;
  /** Number of the last thing that the service has stored of these; events have it too. */
  last: number;
}

export const noItems: MessageItems = {
  statuses: [],
  tools: [],
  sources: [],
  files: [],
  embeds: [],
  followUps: [],
  favorite: false,
  last: 0,
};

/** What a stored message holds beside its text (peer facts 7.9). Messages of other clients may hold anything. */
export function readItems(stored: Record<string, unknown>): MessageItems {
  return {
    statuses: listOf(stored["statusHistory"]).map(readStatus).reduce<readonly Status[]>(addStatus, []),
    tools: listOf(stored["output"]).flatMap((item) => readTool(item) ?? []),
    sources: listOf(stored["sources"]),
    files: listOf(stored["files"]),
    embeds: listOf(stored["embeds"]),
    followUps: readFollowUps(stored["followUps"]),
    favorite: stored["favorite"] === true,
    last: numberField(stored, "lastItem") ?? 0,
  };
}

/** A status as it is shown; without the flag it is done, as the service stores it. */
export function readStatus(data: unknown): Status {
  const record = isRecord(data) ? data : {};
  const urls = listOf(record["urls"]);
  const action = textField(record, "action");
  const description = (sayStatus(record) || action)
    .replaceAll("{{count}}", String(urls.length))
    .replaceAll("{{searchQuery}}", textField(record, "query"));
  const search = readWebSearch(record);
  const status = { description, action, done: record["done"] !== false, hidden: record["hidden"] === true };
  return search ? { ...status, search } : status;
}

/** The statuses with one more. Work that goes on ("page 3 of 12", "page 4 of 12") is one step and not many. */
export function addStatus(statuses: readonly Status[], status: Status): readonly Status[] {
  const last = statuses.at(-1);
  const goesOn = last !== undefined && !last.done && last.action !== "" && last.action === status.action;
  return [...(goesOn ? statuses.slice(0, -1) : statuses), status];
}

/** A step of a tool; undefined for other things that clients keep in `output`. */
export function readTool(data: unknown): ToolStep | undefined {
  const callId = textField(data, "call_id");
  if (!isRecord(data) || !callId || !("state" in data)) return undefined;
  const state = data["state"] === "running" || data["state"] === "error" ? data["state"] : "done";
  const name = textField(data, "name");
  return {
    callId,
    name,
    title: textField(data, "title") || name,
    source: textField(data["source"], "name"),
    builtIn: textField(data["source"], "kind") === "built-in" ? textField(data["source"], "id") : "",
    arguments: textField(data, "arguments"),
    state,
    result: textField(data, "result"),
    isCut: data["is_cut"] === true,
    error: textField(data, "error"),
    at: numberField(data, "at") ?? 0,
    startedAt: numberField(data, "started_at"),
    endedAt: numberField(data, "ended_at"),
  };
}

export function readFollowUps(value: unknown): string[] {
  return listOf(value).filter((text): text is string => typeof text === "string" && text.trim() !== "");
}

/** A list, or none. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Statuses as they stand when nothing works on the message any more: one left open ends with its run. */
export function closeStatuses(statuses: readonly Status[]): readonly Status[] {
  return statuses.some((status) => !status.done)
    ? statuses.map((status) => (status.done ? status : { ...status, done: true }))
    : statuses;
}

function numberField(data: Record<string, unknown>, name: string): number | undefined {
  return typeof data[name] === "number" && Number.isFinite(data[name]) ? data[name] : undefined;
}
