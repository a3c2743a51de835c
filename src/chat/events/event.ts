import * as z from "zod";
import { AppError } from "../../errors.ts";
import { isRecord } from "../../lib/json.ts";
import { distinctTags, maxTags } from "../conversations/tag-statements.ts";
import type { ChatEvent } from "./chat-event.ts";
import { readCompletionEvent } from "./completion-event.ts";
import { checkEvent, readData } from "./read-event.ts";

/** The long names of event types; missing types have only one name. */
const longNames: Readonly<Record<string, string>> = {
  message: "chat:message:delta",
  replace: "chat:message",
  files: "chat:message:files",
  embeds: "chat:message:embeds",
  citation: "source",
};

const text = z.looseObject({ content: z.string() });

const status = z.looseObject({
  description: z.string().max(20_000).nullish(),
  action: z.string().max(200).nullish(),
  done: z.boolean().nullish(),
  hidden: z.boolean().nullish(),
});

const source = z
  .looseObject({
    source: z.union([z.record(z.string(), z.unknown()), z.string()]).nullish(),
    document: z.union([z.array(z.string()), z.string()]).nullish(),
    metadata: z.union([z.array(z.record(z.string(), z.unknown())), z.record(z.string(), z.unknown())]).nullish(),
    type: z.string().nullish(),
  })
  .refine((data) => Object.keys(data).length > 0, "must describe the source");

const tagName = z.string().trim().min(1).max(100);
const tagList = z
  .array(z.union([tagName, z.looseObject({ name: tagName }).transform(({ name }) => name)]))
  .max(maxTags);
const tags = z.union([
  tagList,
  z.looseObject({ tags: tagList }).transform((data) => data.tags),
  z
    .record(tagName, z.unknown())
    .refine((data) => Object.keys(data).length <= maxTags, `expected at most ${maxTags} tags`),
]);

const title = z.string().trim().min(1).max(1000);
const someError = z.union([z.string().min(1), z.record(z.string(), z.unknown())]);

/** How an event of each type is read: from its data to the stored and live events. */
const readers: Readonly<Record<string, (data: unknown) => ChatEvent[]>> = {
  status(given) {
    const data = readData(status, given);
    if (typeof data.description !== "string" && typeof data.action !== "string")
      throw new AppError("invalid_event", "data.description: must be a string", { param: "data.description" });
    const item = { ...data, done: data.done ?? true, hidden: data.hidden ?? false };
    return [
      { live: { type: "status", data: item }, kept: { what: "items", kind: "status", mode: "add", items: [item] } },
    ];
  },
  "chat:message:delta"(given) {
    const { content } = readData(text, given);
    return [appended(content)];
  },
  "chat:message"(given) {
    const { content } = readData(text, given);
    return [replaced(content)];
  },
  "chat:message:files"(given) {
    const { files } = readData(z.looseObject({ files: z.array(z.record(z.string(), z.unknown())).max(200) }), given);
    return [
      {
        live: { type: "chat:message:files", data: { files } },
        kept: { what: "items", kind: "file", mode: "set", items: files },
      },
    ];
  },
  "chat:message:embeds"(given) {
    const shape = z.looseObject({
      embeds: z.union([z.array(z.string()).max(200), z.string()]),
      replace: z.boolean().nullish(),
    });
    const { embeds, replace } = readData(shape, given);
    const list = typeof embeds === "string" ? [embeds] : embeds;
    return [
      {
        live: { type: "chat:message:embeds", data: { embeds: list, replace: replace ?? false } },
        kept: { what: "items", kind: "embed", mode: replace ? "set" : "add", items: list.map((embed) => ({ embed })) },
      },
    ];
  },
  "chat:title"(given) {
    const read = readData(z.union([title, z.looseObject({ title })]), given);
    const name = typeof read === "string" ? read : read.title;
    return [{ live: { type: "chat:title", data: { title: name } }, kept: { what: "title", title: name } }];
  },
  "chat:tags"(given) {
    const read = readData(tags, given);
    const names = Array.isArray(read) ? read : namesOf(read);
    const list = distinctTags(names);
    return [{ live: { type: "chat:tags", data: list }, kept: { what: "tags", tags: list } }];
  },
  source(given) {
    const data = readData(source, given);
    const live = { type: "source", data };
    // Code that runs reports under this name in Open WebUI, again and again; it is no source.
    if (data.type) return [{ live, kept: null }];
    return [{ live, kept: { what: "items", kind: "source", mode: "add", items: [data] } }];
  },
  notification(given) {
    const shape = z.looseObject({
      type: z.enum(["info", "success", "warning", "error"]).nullish(),
      content: z.string().max(20_000),
    });
    const data = readData(shape, given);
    return [{ live: { type: "notification", data: { ...data, type: data.type ?? "info" } }, kept: null }];
  },
  "chat:message:favorite"(given) {
    const { favorite } = readData(z.looseObject({ favorite: z.boolean() }), given);
    return [
      { live: { type: "chat:message:favorite", data: { favorite } }, kept: { what: "keys", keys: { favorite } } },
    ];
  },
  "chat:message:follow_ups"(given) {
    const shape = z.looseObject({ follow_ups: z.array(z.string().max(2000)).max(20) });
    const { follow_ups: followUps } = readData(shape, given);
    return [
      {
        live: { type: "chat:message:follow_ups", data: { follow_ups: followUps } },
        kept: { what: "keys", keys: { followUps } },
      },
    ];
  },
  "chat:message:error"(given) {
    const read = readData(z.union([z.string().min(1), z.looseObject({ error: someError })]), given);
    return [failed(typeof read === "string" ? read : read.error)];
  },
  "chat:completion": (given) =>
    readCompletionEvent(given, { appended, replaced, failed, readSource: (data) => readers["source"]!(data) }),
};

/** Names that only the service uses. */
const reserved = /^(?:chat|session|call|execute|request|terminal|models?):/;

/**
 * Reads an event of the contract's table (`{type, data}`), or a plugin's custom event, which is only shown to tabs.
 * Long and short names are equivalent. One event can become several: a completion has text, sources and an error.
 * @throws AppError `invalid_event` with what is wrong; `payload_too_large`
 */
export function readEvent(given: unknown): ChatEvent[] {
  const { type, data } = checkEvent(given);
  if (type === "confirmation" || type === "input") {
    throw new AppError("invalid_event", `type: a ${type} expects an answer: send it with __event_call__`, {
      param: "type",
    });
  }
  const name = longNames[type] ?? type;
  const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
  if (reader) return reader(data);
  if (reserved.test(name))
    throw new AppError("invalid_event", `type: ${type} is not an event that plugins can send`, { param: "type" });
  return [{ live: { type, data }, kept: null }];
}

function appended(content: string): ChatEvent {
  return { live: { type: "chat:message:delta", data: { content } }, kept: { what: "text", mode: "append", content } };
}

function replaced(content: string): ChatEvent {
  return { live: { type: "chat:message", data: { content } }, kept: { what: "text", mode: "replace", content } };
}

function failed(given: string | Record<string, unknown>): ChatEvent {
  const said = isRecord(given) ? (given["message"] ?? given["content"] ?? given["detail"]) : given;
  const message = typeof said === "string" ? said : "The answer failed";
  const code = isRecord(given) && typeof given["code"] === "string" ? given["code"] : "plugin_failed";
  const live = { type: "chat:message:error", data: { error: { message, code, content: message } } };
  return { live, kept: { what: "error", error: { message, code } } };
}

/** Of an object of tags: `{"<id>": "<name>"}`, `{"<id>": {name}}` or `{"<name>": true}`. */
function namesOf(given: Record<string, unknown>): string[] {
  return Object.entries(given).flatMap(([key, value]) => {
    if (value === false || value === null) return [];
    const name = typeof value === "string" ? value : isRecord(value) ? value["name"] : undefined;
    return [typeof name === "string" && name.trim() !== "" ? name.trim().slice(0, 100) : key];
  });
}
