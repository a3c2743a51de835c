import { isRecord } from "../../lib/json.ts";
import type { WireMessage } from "../conversations/schema.ts";

/** A message of a shared chat. */
export interface SharedMessage {
  id: string;
  role: string;
  content: string;
  /** Content that is more than text; null: plain text. */
  parts: Record<string, unknown>[] | null;
  model: string | null;
  files: string[];
  sources: { number: number; name: string }[];
  /** Epoch seconds. */
  createdAt: number;
}

/** Maximum number of names per message. */
const maxNames = 200;

/**
 * The shared state of a branch: its texts, and pictures that are in the messages themselves. Reasoning, tool calls,
 * passages of documents and everything else that only the owner may read are left out; of files and sources only the
 * names are shown. Failed answers without text are left out.
 * @param branch root first
 */
export function snapshotOf(branch: readonly WireMessage[]): SharedMessage[] {
  return branch.flatMap((message): SharedMessage[] => {
    const { role } = message;
    if (role !== "user" && role !== "assistant") return [];
    const pictures = picturesOf(message["files"]);
    const said = partsOf(message.content);
    const text = said
      .filter(({ type }) => type === "text")
      .map((part) => String(part["text"]))
      .join("\n");
    const parts = [...said, ...pictures];
    if (parts.every((part) => part["type"] === "text" && String(part["text"]).trim() === "")) return [];
    return [
      {
        id: message.id,
        role,
        content: text,
        parts: parts.some(({ type }) => type !== "text") ? parts : null,
        model: typeof message["model"] === "string" ? message["model"] : null,
        files: namesOf(message["files"]),
        sources: role === "assistant" ? sourcesOf(message["sources"]) : [],
        createdAt: message.timestamp,
      },
    ];
  });
}

/**
 * Texts, and pictures in the message itself: addresses would be requested by every reader, and files belong to their
 * owner.
 */
function partsOf(content: WireMessage["content"]): Record<string, unknown>[] {
  if (!Array.isArray(content)) return [{ type: "text", text: content ?? "" }];
  return content.flatMap((part): Record<string, unknown>[] => {
    if (part.type === "text" && typeof part["text"] === "string") return [{ type: "text", text: part["text"] }];
    const picture = isRecord(part["image_url"]) ? part["image_url"]["url"] : part["image_url"];
    return part.type === "image_url" ? pictureFrom(picture) : [];
  });
}

/** Open WebUI's clients store pictures beside the text, as files with a data URL. */
function picturesOf(files: unknown): Record<string, unknown>[] {
  return recordsIn(files).flatMap((file) => (file["type"] === "image" ? pictureFrom(file["url"]) : []));
}

function pictureFrom(url: unknown): Record<string, unknown>[] {
  return typeof url === "string" && /^data:image\/(png|jpeg|gif|webp|avif);base64,/i.test(url)
    ? [{ type: "image_url", image_url: { url } }]
    : [];
}

function namesOf(files: unknown): string[] {
  const names = recordsIn(files)
    .filter((file) => !(file["type"] === "image" && pictureFrom(file["url"]).length > 0))
    .map((file) => file["name"])
    .filter((name): name is string => typeof name === "string" && name !== "");
  return [...new Set(names)].slice(0, maxNames);
}

/** The sources that the text may cite by number, in Open WebUI's format `{source, document, metadata}`. */
function sourcesOf(raw: unknown): SharedMessage["sources"] {
  const found = new Map<string, SharedMessage["sources"][number]>();
  for (const item of recordsIn(raw)) {
    const own = isRecord(item["source"]) ? item["source"]["name"] : item["source"];
    const passages =
      Array.isArray(item["metadata"]) && item["metadata"].length > 0 ? recordsIn(item["metadata"]) : [{}];
    for (const passage of passages as Record<string, unknown>[]) {
      const name = typeof passage["name"] === "string" ? passage["name"] : own;
      const given = passage["number"];
      const number = typeof given === "number" && Number.isSafeInteger(given) && given > 0 ? given : undefined;
      if (typeof name !== "string" || name === "") continue;
      const key = number === undefined ? name : `${number} ${name}`;
      if (!found.has(key)) found.set(key, { number: number ?? found.size + 1, name });
    }
  }
  return [...found.values()].sort((a, b) => a.number - b.number).slice(0, maxNames);
}

function recordsIn(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? (value as unknown[]).filter(isRecord) : [];
}
