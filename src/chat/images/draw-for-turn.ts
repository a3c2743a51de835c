import { sql } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { editImages, makeImages } from "../../images/make-images.ts";
import type { ImageList } from "../../images/schema.ts";
import { fileIdOf, loadSourceImages } from "../../images/source-images.ts";
import { isRecord, tryParseJson } from "../../lib/json.ts";
import type { ResolvedModel } from "../../models/catalog/find-model.ts";
import { said } from "../../shared/status-words.ts";
import { askTask } from "../ask-task.ts";
import { emitEvent } from "../events/emit-event.ts";
import { isStored } from "../events/message-items.ts";
import type { TurnPlace } from "../functions/turn-place.ts";
import { findPictures, maybePictures } from "../pictures/read-references.ts";
import { throwIfAborted } from "../retrieval/abort.ts";
import { createTeller, type Teller } from "../retrieval/teller.ts";
import { questionsIn } from "../retrieval/word-queries.ts";
import { talkOf } from "../retrieval/write-queries.ts";
import { modelForTasks } from "../task-model.ts";
import { shownImage } from "./shown-image.ts";

/** Time limit for the description, milliseconds, because the answer waits. */
const describeMs = 20_000;
const action = "image_generation";

export interface Drawing {
  /** The body in which the model is told what was made. */
  tell(body: Record<string, unknown>): Record<string, unknown>;
  images: ImageList;
  /** Why there is none. */
  failure: string | undefined;
  /** Resolves when the message has its statuses and pictures; never fails. */
  told: Promise<void>;
}

/**
 * Has a picture made for the last question, or the one that it is about changed, shows it with the message, and tells the
 * model of it. A failure is told in words and never fails the answer.
 * @param isRefused it was asked for, and is not available to the caller
 * @throws UpstreamError when the signal fires
 */
export async function drawForTurn(
  ctx: Context,
  model: ResolvedModel,
  turn: { body: Record<string, unknown>; place: TurnPlace; signal: AbortSignal; isRefused: boolean },
): Promise<Drawing> {
  const { body, place, signal, isRefused } = turn;
  const teller = createTeller(ctx, requireUser(ctx).id, place);
  const messages = Array.isArray(body["messages"]) ? (body["messages"] as unknown[]) : [];
  const question = (questionsIn(messages).at(-1) ?? "").slice(0, 4000).toWellFormed();
  const end = (images: ImageList, failure?: string): Drawing => ({
    tell: (given) => ({ ...given, messages: withNote(given["messages"], noteOf(images, failure)) }),
    images,
    failure,
    told: teller.settled(),
  });
  if (isRefused) return end([], fail(teller, "Pictures are not available to you or with this model"));
  if (question === "") return end([]);
  try {
    teller.status({ action, ...said(["makingPicture"]), done: false });
    const before = ctx.settings.ENABLE_IMAGE_EDIT ? await picturesBefore(ctx, body, messages, place) : [];
    const { prompt, edits } = await describe(ctx, model, { messages, question, hasPicture: before.length > 0, signal });
    throwIfAborted(signal);
    const where = { chatId: isStored(place.chatId) ? place.chatId : undefined, signal };
    const images =
      edits && before.length > 0
        ? await editImages(ctx, { prompt }, await loadSourceImages(ctx, before), where)
        : await makeImages(ctx, { prompt }, where);
    throwIfAborted(signal);
    await show(ctx, place, images);
    teller.status({
      action,
      ...said(edits ? ["changedPicture"] : ["madePictures", images.length]),
      prompt,
      done: true,
    });
    return end(images);
  } catch (error) {
    throwIfAborted(signal);
    if (!(error instanceof AppError)) ctx.log.error("a picture could not be made", { error });
    const reason = error instanceof AppError ? error.message : "internal error. The cause is in the log";
    return end([], fail(teller, `No picture was made: ${reason}`));
  }
}

function fail(teller: Teller, description: string): string {
  teller.status({ action, description, done: true, error: true });
  return description;
}

async function show(ctx: Context, place: TurnPlace, images: ImageList): Promise<void> {
  if (place.chatId === undefined || place.messageId === undefined) return;
  await emitEvent(ctx, place, { type: "files", data: { files: images.map(shownImage) } });
}

/** The pictures that the last question may be about: its own, otherwise the newest that was made in the chat. */
async function picturesBefore(
  ctx: Context,
  body: Record<string, unknown>,
  messages: readonly unknown[],
  { chatId }: TurnPlace,
): Promise<string[]> {
  const last = messages.findLastIndex((message) => isRecord(message) && message["role"] === "user");
  const own = findPictures(messages, ctx.origin).filter(({ message }) => message === last);
  const attached = [...own.map(({ url }) => url), ...maybePictures(body["files"])];
  if (attached.length > 0 || !isStored(chatId)) return attached.slice(-4);
  const [row] = await ctx.db.all<{ url: string | null }>(sql`
    SELECT i.data ->> 'url' AS url FROM message_items i
    JOIN messages m ON m.chat_id = i.chat_id AND m.id = i.message_id
    WHERE i.chat_id = ${chatId} AND i.kind = 'file' AND i.data ->> 'type' = 'image' AND m.user_id = ${requireUser(ctx).id}
    ORDER BY m.created_at DESC, m.id DESC LIMIT 1`);
  return row?.url && fileIdOf(ctx, row.url) !== undefined ? [row.url] : [];
}

interface Described {
  prompt: string;
  /** A picture that is there is to be changed. */
  edits: boolean;
}

/** The description by a model; the person's words where there is no model or it says nothing usable. */
async function describe(
  ctx: Context,
  model: ResolvedModel,
  {
    messages,
    question,
    hasPicture,
    signal,
  }: { messages: readonly unknown[]; question: string; hasPicture: boolean; signal: AbortSignal },
): Promise<Described> {
  const plain = { prompt: question, edits: hasPicture };
  if (!ctx.settings.ENABLE_IMAGE_PROMPT_GENERATION) return plain;
  const until = AbortSignal.any([signal, AbortSignal.timeout(describeMs)]);
  try {
    const writer = await modelForTasks(ctx, model.id);
    if (!writer) return plain;
    const task = { task: "image_prompt_generation", prompt: promptFor(messages, hasPicture), signal: until };
    return readDescription((await askTask(ctx, writer, task)) ?? "", hasPicture) ?? plain;
  } catch (error) {
    if (!signal.aborted) ctx.log.info("a model wrote no description of a picture", { model: model.id, error });
    return plain;
  }
}

function promptFor(messages: readonly unknown[], hasPicture: boolean): string {
  const edit = hasPicture
    ? ` There is a picture in the conversation already: "edit" is true if the last message wants that picture changed, and "prompt" then says what to change.`
    : "";
  return `Below is a conversation. A picture will be made for its last message. Describe the picture in one or two sentences that make sense without the conversation.${edit} Reply with JSON alone: {"prompt": "...", "edit": false}

${talkOf(messages)}`;
}

/** The description in a model's answer. */
export function readDescription(answer: string, hasPicture: boolean): Described | undefined {
  const json = tryParseJson(answer.slice(answer.indexOf("{"), answer.lastIndexOf("}") + 1));
  const prompt = isRecord(json) && typeof json["prompt"] === "string" ? json["prompt"].trim().slice(0, 4000) : "";
  if (!isRecord(json) || prompt === "") return undefined;
  return { prompt: prompt.toWellFormed(), edits: hasPicture && json["edit"] === true };
}

function noteOf(images: ImageList, failure: string | undefined): string | undefined {
  if (failure !== undefined)
    return `${failure.slice(0, 500)}. Say so in plain words, and do not pretend that there is a picture.`;
  if (images.length === 0) return undefined;
  return "The picture that the person wants has been made, and they see it below your answer. Say in a sentence what it is. Do not write an address or a picture of your own.";
}

/** Behind the instructions that are there, so that the last message stays the person's. */
function withNote(given: unknown, note: string | undefined): unknown[] {
  const messages: readonly unknown[] = Array.isArray(given) ? given : [];
  if (note === undefined) return [...messages];
  const at = messages.findLastIndex((message) => isRecord(message) && message["role"] === "user");
  return messages.toSpliced(Math.max(0, at), 0, { role: "system", content: note });
}
