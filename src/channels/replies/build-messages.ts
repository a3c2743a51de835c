import { spellMentions } from "../../shared/mentions.ts";
import { pictureType } from "../../shared/vision.ts";
import type { ChannelMessage } from "../schema.ts";

type Part = { type: "text"; text: string } | { type: "image_url"; image_url: { url: string } };

export interface ModelMessage {
  role: "system" | "user" | "assistant";
  content: string | Part[];
}

export interface BuiltTalk {
  /** Beginning with what the model is told of where it is; people and the model take turns. */
  messages: ModelMessage[];
  /** Documents beside the messages, as `files` of a request names them; the newest last. */
  files: Record<string, unknown>[];
}

export interface TalkOptions {
  /** Id and name of the model that answers. */
  model: string;
  name: string;
  /** `""` for a direct conversation. */
  channelName: string;
  /** Documents at most. */
  maxFiles: number;
}

/** UTF-16 units of all that was said; the oldest is left out first. */
const maxTalkLength = 60_000;
/** Pictures of the newest messages. */
const maxPictures = 8;
const maxNameLength = 80;

/**
 * What was said in a channel as a model is told it: its own answers are its own, everything else is said by people, each message
 * with the name of who wrote it. Pure.
 * @param talk oldest first; the last one is the question
 */
export function buildMessages(talk: readonly ChannelMessage[], options: TalkOptions): BuiltTalk {
  const shown = newestOf(talk);
  const shownPictures = new Set(
    shown.flatMap(({ files }) => files.filter((file) => pictureType.test(file.content_type))).slice(-maxPictures),
  );
  const messages: ModelMessage[] = [{ role: "system", content: introduction(options) }];
  for (const message of shown) {
    const isOwn = message.meta["model_id"] === options.model;
    const text = spellMentions(message.content);
    const pictures = message.files.filter((file) => shownPictures.has(file));
    if (text.trim() === "" && pictures.length === 0 && message.files.length === 0) continue;
    const said = isOwn ? text : `${oneLine(message.user.name)}: ${text}${namesOfFiles(message, pictures)}`;
    add(messages, isOwn ? "assistant" : "user", [
      { type: "text", text: said },
      ...(isOwn ? [] : pictures.map((file): Part => ({ type: "image_url", image_url: { url: file.id } }))),
    ]);
  }
  // An answer whose question is too long ago has nothing before it that providers would take.
  if (messages[1]?.role === "assistant") messages.splice(1, 1);
  return { messages: messages.map(simplify), files: documentsOf(shown, options.maxFiles) };
}

/** From the end back as far as there is room; the question has room always. */
function newestOf(talk: readonly ChannelMessage[]): ChannelMessage[] {
  let left = maxTalkLength;
  const from = talk.findLastIndex((message, at) => {
    left -= message.content.length;
    return left < 0 && at < talk.length - 1;
  });
  return talk.slice(from + 1);
}

function introduction({ name, channelName }: TalkOptions): string {
  const place = channelName === "" ? "a direct conversation" : `the channel "${oneLine(channelName)}"`;
  return (
    `You are ${oneLine(name)}, and take part in ${place}, where several people, bots and models may write. ` +
    "Each message that is not yours begins with the name of who wrote it. " +
    "Answer the last message. Do not put a name before your answer, and do not write for others."
  );
}

/** Providers want people and the model to take turns: what several people say one after the other is one message. */
function add(messages: ModelMessage[], role: ModelMessage["role"], parts: Part[]): void {
  const last = messages.at(-1)!;
  if (last.role !== role) messages.push({ role, content: parts });
  else (last.content as Part[]).push(...parts);
}

/** Without pictures it is a text. */
function simplify({ role, content }: ModelMessage): ModelMessage {
  if (typeof content === "string") return { role, content };
  const joined: Part[] = [];
  for (const part of content) {
    const last = joined.at(-1);
    if (part.type === "text" && last?.type === "text")
      joined.splice(-1, 1, { type: "text", text: `${last.text}\n\n${part.text}` });
    else joined.push(part);
  }
  const [only] = joined;
  return { role, content: joined.length === 1 && only?.type === "text" ? only.text : joined };
}

/** A name is what somebody calls themselves: it stays on its line. */
function oneLine(name: string): string {
  return (
    name
      .replaceAll(/[\s\p{Cc}]+/gu, " ")
      .trim()
      .slice(0, maxNameLength)
      .toWellFormed() || "Somebody"
  );
}

function namesOfFiles({ files }: ChannelMessage, pictures: ChannelMessage["files"]): string {
  const names = files.filter((file) => !pictures.includes(file)).map((file) => oneLine(file.name));
  return names.length === 0 ? "" : `\n(With: ${names.join(", ")})`;
}

function documentsOf(talk: readonly ChannelMessage[], maxFiles: number): Record<string, unknown>[] {
  const documents = talk.flatMap(({ files }) => files.filter((file) => !pictureType.test(file.content_type)));
  const byId = new Map(documents.map((file) => [file.id, file]));
  return [...byId.values()].slice(-maxFiles).map((file) => ({ type: "file", ...file }));
}
