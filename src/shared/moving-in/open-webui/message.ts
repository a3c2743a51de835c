import { cleanObject, countValues } from "../clean-value.ts";
import { fitMessage } from "../fit-message.ts";
import { isObject, secondsOf } from "../read-values.ts";
import { readAnswer } from "./answer-items.ts";
import type { LargePictures } from "./large-pictures.ts";

/** Values of one message: more are left out, the largest fields first. */
const maxValues = 50_000;

/** What was done to messages, counted for the notes of their chat. */
export interface MessageChanges {
  cut: number;
  /** Takes large pictures; left out, they stay in the message. */
  pictures?: LargePictures | undefined;
}

/** A message as the service stores it, from one in Open WebUI's document or from a row in that form; without its place in the tree. */
export function translateMessage(given: Record<string, unknown>, changes: MessageChanges): Record<string, unknown> {
  const { output, info, citations, reasoning_content: thought, lastItem: _, ...message } = cleanObject(given);
  const timestamp = secondsOf(message, "timestamp") ?? 0;
  const model = typeof message["model"] === "string" ? message["model"].slice(0, 256) : undefined;
  const role = roleOf(message["role"], model);
  const said = contentOf(message["content"]);
  const isAnswer = role === "assistant" && typeof said === "string";
  const answer = isAnswer ? readAnswer(said, output, timestamp) : undefined;
  const attached = [...withoutTexts(listOf(message["files"])), ...(answer?.files ?? [])];
  const files = changes.pictures?.takeFrom(attached) ?? attached;
  const reasoning = [message["reasoning"], answer?.reasoning, thought].find(
    (text) => typeof text === "string" && text !== "",
  );
  const usage = [message["usage"], isObject(info) ? (info["usage"] ?? info) : undefined].find(isObject);
  const isUnfinished = role === "assistant" && message["done"] === false;
  const sources = listOf(message["sources"] ?? citations);
  const { model: _model, reasoning: _reasoning, usage: _usage, sources: _sources, files: _files, ...rest } = message;
  const translated = {
    ...rest,
    role,
    content: answer?.text ?? said,
    ...(timestamp === 0 ? { timestamp: undefined } : { timestamp }),
    ...(model === undefined ? {} : { model }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(answer && answer.reasoningSeconds > 0 ? { reasoning_duration: answer.reasoningSeconds } : {}),
    ...(usage === undefined ? {} : { usage }),
    ...(sources.length === 0 ? {} : { sources }),
    ...(files.length === 0 ? {} : { files }),
    ...(answer && answer.tools.length > 0 ? { output: answer.tools } : {}),
    // Nothing writes on.
    ...(isUnfinished
      ? { done: true, state: "interrupted" }
      : { done: message["done"] !== false, state: hasFailed(role, message["error"]) ? "error" : undefined }),
  };
  const fitting = fitMessage(fewerValues(translated));
  if (fitting !== translated) changes.cut += 1;
  return fitting;
}

/** Open WebUI has no word for it: an answer with an error has failed. */
function hasFailed(role: string, error: unknown): boolean {
  return role === "assistant" && error !== undefined && error !== null && error !== false && error !== "";
}

function roleOf(role: unknown, model: string | undefined): string {
  if (typeof role === "string" && role !== "" && role.length <= 40) return role;
  return model === undefined ? "user" : "assistant";
}

/** Text, or parts. */
function contentOf(content: unknown): string | Record<string, unknown>[] {
  if (typeof content === "string") return content;
  if (content === null || content === undefined) return "";
  if (!Array.isArray(content)) return JSON.stringify(content);
  const parts = (content as unknown[]).filter((part) => isObject(part) && typeof part["type"] === "string");
  return parts.length === content.length && parts.length > 0
    ? (parts as Record<string, unknown>[])
    : content.length === 0
      ? ""
      : JSON.stringify(content);
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Files without the copies of their texts that older versions put into every message. */
export function withoutTexts(files: readonly unknown[]): unknown[] {
  return files.filter(isObject).map((file) => {
    const inner = file["file"];
    if (!isObject(inner) || !("data" in inner)) return file;
    const { data: _, ...rest } = inner;
    return { ...file, file: rest };
  });
}

function fewerValues<T extends Record<string, unknown>>(message: T): T {
  if (countValues(message) <= maxValues) return message;
  const small = Object.entries(message).filter(([, value]) => countValues(value) <= 1000);
  return {
    ...Object.fromEntries(small),
    content: message["content"] === undefined ? "" : plainContent(message["content"]),
  } as unknown as T;
}

function plainContent(content: unknown): string {
  return typeof content === "string" ? content : JSON.stringify(content);
}
