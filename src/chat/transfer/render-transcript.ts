import { isRecord } from "../../lib/json.ts";
import type { ChatResponse, WireMessage } from "../conversations/schema.ts";

/** The current branch as Markdown for people and other programs. */
export function renderMarkdown(chat: ChatResponse): string {
  const messages = chat.chat.messages.map((message) => {
    const beside = [
      ...filesOf(message).map((name) => `- ${oneLine(name)}`),
      ...sourcesOf(message).map((name) => `- Source: ${oneLine(name)}`),
    ];
    return [
      `## ${oneLine(speakerOf(message))}`,
      `*${timeOf(message.timestamp)}*`,
      textOf(message.content, "*(a picture)*"),
      beside.join("\n"),
    ]
      .filter((part) => part !== "")
      .join("\n\n");
  });
  return `${[`# ${oneLine(chat.title)}`, ...messages].join("\n\n")}\n`;
}

/** The current branch as plain text. */
export function renderText(chat: ChatResponse): string {
  const messages = chat.chat.messages.map((message) => {
    const beside = [
      ...filesOf(message).map((name) => `[file: ${oneLine(name)}]`),
      ...sourcesOf(message).map((name) => `[source: ${oneLine(name)}]`),
    ];
    const head = `${oneLine(speakerOf(message))}, ${timeOf(message.timestamp)}`;
    return [head, textOf(message.content, "[a picture]"), ...beside].filter((part) => part !== "").join("\n");
  });
  return `${[oneLine(chat.title), ...messages].join("\n\n")}\n`;
}

function speakerOf(message: WireMessage): string {
  if (message.role === "user") return "You";
  const name = [message["modelName"], message["model"]].find((text) => typeof text === "string" && text !== "");
  return message.role === "assistant" && typeof name === "string" ? name : message.role;
}

function textOf(content: WireMessage["content"], picture: string): string {
  if (!Array.isArray(content)) return (content ?? "").trim();
  return content
    .map((part) => (typeof part["text"] === "string" ? part["text"] : part.type === "image_url" ? picture : ""))
    .filter((text) => text !== "")
    .join("\n\n")
    .trim();
}

function filesOf(message: WireMessage): string[] {
  return namesIn(message["files"], (file) => file["name"]);
}

/** Documents cited by the answer, without duplicates. */
function sourcesOf(message: WireMessage): string[] {
  return namesIn(message["sources"], (item) => (isRecord(item["source"]) ? item["source"]["name"] : item["source"]));
}

function namesIn(list: unknown, nameOf: (item: Record<string, unknown>) => unknown): string[] {
  const items = Array.isArray(list) ? (list as unknown[]).filter(isRecord) : [];
  return [...new Set(items.map(nameOf).filter((name): name is string => typeof name === "string" && name !== ""))];
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\s]+/gu, " ").trim();
}

/** @param seconds epoch seconds; impossible years are left out */
function timeOf(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? "" : `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
