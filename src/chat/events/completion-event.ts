import * as z from "zod";
import { isRecord } from "../../lib/json.ts";
import { readContentParts } from "../../upstream/chunks/read-content-parts.ts";
import type { ChatEvent } from "./chat-event.ts";
import { readData } from "./read-event.ts";

const record = z.record(z.string(), z.unknown());
const completion = z.looseObject({
  content: z.string().nullish(),
  choices: z.array(z.looseObject({ delta: record.nullish(), message: record.nullish() })).nullish(),
  sources: z.array(record).max(200).nullish(),
  usage: record.nullish(),
  error: z.union([z.string().min(1), record]).nullish(),
});

interface Makers {
  appended(content: string): ChatEvent;
  replaced(content: string): ChatEvent;
  failed(error: string | Record<string, unknown>): ChatEvent;
  readSource(data: unknown): ChatEvent[];
}

/**
 * `chat:completion` from a plugin: pieces of an answer in the chat-completions dialect, or the whole text so far. Only
 * the run decides that the answer has ended, so `done` is ignored.
 */
export function readCompletionEvent(given: unknown, make: Makers): ChatEvent[] {
  const { content, choices, sources, usage, error } = readData(completion, given);
  const events: ChatEvent[] = [];
  if (typeof content === "string") events.push(make.replaced(content));
  const [choice] = choices ?? [];
  const delta = textOf(choice?.delta);
  const message = textOf(choice?.message);
  if (delta !== "") events.push(make.appended(delta));
  else if (message !== "") events.push(make.replaced(message));
  for (const source of sources ?? []) events.push(...make.readSource(source));
  if (usage) events.push({ live: { type: "chat:completion", data: { usage } }, kept: { what: "usage", usage } });
  if (error) events.push(make.failed(error));
  return events;
}

function textOf(message: Record<string, unknown> | null | undefined): string {
  const content = isRecord(message) ? message["content"] : undefined;
  if (typeof content === "string") return content;
  return Array.isArray(content) ? readContentParts(content).text : "";
}
