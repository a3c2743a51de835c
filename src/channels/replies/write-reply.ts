import { sql, type SQL } from "drizzle-orm";
import type { User } from "../../access.ts";
import { AnswerText } from "../../chat/answer-text.ts";
import { followRights } from "../../chat/completions/follow-rights.ts";
import { createAnswerWriter } from "../../chat/conversations/answer-writer.ts";
import type { AnswerEnd } from "../../chat/conversations/write-answer.ts";
import { converse, type Conversed } from "../../chat/converse.ts";
import { drainAnswer } from "../../chat/drain-answer.ts";
import { type Context, createContext, type Services } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { isStorageUnavailable } from "../../jobs/is-storage-unavailable.ts";
import { newId } from "../../lib/id.ts";
import { findModel } from "../../models/catalog/find-model.ts";
import { resolveActorById } from "../../people/auth/resolve-actor.ts";
import type { Reply as ModelReply } from "../../upstream/answers/accumulate-reply.ts";
import { UpstreamError } from "../../upstream/errors/upstream-error.ts";
import { findChannel, requireChannels } from "../find-channel.ts";
import { readsChannel } from "../messages/find-message.ts";
import { buildMessages } from "./build-messages.ts";
import { explainFailure } from "./explain-failure.ts";
import { createLiveText } from "./live-text.ts";
import { loadReply, type Reply } from "./load-reply.ts";
import { loadTalk } from "./load-talk.ts";
import { createReplyStore, showReply } from "./reply-store.ts";

/** Maximum length of an answer, in UTF-16 units; a model that continues is stopped. */
export const maxReplyLength = 65_536;
/** Passages of documents that an answer says it rests on. */
const maxSources = 50;

export interface ReplyRun {
  /** Ends when the answer is somebody else's to write, or too late. */
  signal: AbortSignal;
  /** Holds as long as it is this runner's: for the conditions of what it writes. */
  held: SQL;
}

/**
 * Writes a model's answer into its message, with the current permissions of the person who asked; failures end it with
 * a message. A regenerated answer is written from the beginning.
 * @throws the signal's reason; errors that mean the database is unavailable
 */
export async function writeReply(services: Services, reply: Reply, { signal, held }: ReplyRun): Promise<void> {
  const abort = new AbortController();
  const until = AbortSignal.any([signal, abort.signal]);
  const text = new AnswerText();
  const live = createLiveText(text, (at, piece) =>
    services.channels.tell(store.channel(), {
      type: "channel:message:delta",
      data: { id: reply.id, at, text: piece },
    }),
  );
  let asker: User | undefined;
  const store = createReplyStore(services, reply, {
    text,
    held,
    mayGoOn: () => (asker ? readsChannel(asker, reply.channel.id) : sql`TRUE`),
    onStored: (before) => live.stored(before),
    ending: () => live.end(),
  });
  const place = { chatId: reply.channel.id, messageId: reply.id, runId: newId() };
  const writer = createAnswerWriter(services, place, text, () => abort.abort(lost), store);
  let end: AnswerEnd;
  try {
    const ctx = await contextOfAsker(services, reply);
    asker = await requireMayAsk(ctx, reply);
    end = await answer(ctx, reply, text, until, () => abort.abort(full));
  } catch (error) {
    end = failed(services, reply, error);
  }
  if (signal.aborted || (abort.signal.reason === lost && (await isGone(services, reply)))) {
    await live.end();
    signal.throwIfAborted();
    return;
  }
  if (abort.signal.reason === lost) end = { state: "error", error: explainFailure(await whyLost(services, reply)) };
  if (abort.signal.reason === full) end = { ...end, state: "error", error: tooLong };
  if (!(await writer.finish(end))) await showReply(services, reply.id);
}

/** Why it does not go on. */
const lost = "lost";
const full = "full";
const tooLong = {
  message: `Cut off here: answers in channels can have at most ${maxReplyLength.toLocaleString("en-US")} characters.`,
  code: "too_long",
};

/** The current permissions of the person who asks. @throws AppError */
async function contextOfAsker(services: Services, { credential, origin }: Reply): Promise<Context> {
  return createContext(services, await resolveActorById(services, credential), { requestId: newId(), origin });
}

/** @throws AppError `forbidden`, `not_found` */
async function requireMayAsk(ctx: Context, { channel }: Reply): Promise<User> {
  const user = requireChannels(ctx);
  await findChannel(ctx, channel.id, "post");
  return user;
}

async function answer(
  ctx: Context,
  reply: Reply,
  text: AnswerText,
  signal: AbortSignal,
  onFull: () => void,
): Promise<AnswerEnd> {
  const { question, channel } = reply;
  if (!question) throw new AppError("conflict", "The question was deleted.");
  const [model, talk] = await Promise.all([findModel(ctx, reply.model), loadTalk(ctx, reply, question)]);
  const { messages, files } = buildMessages(talk, {
    model: reply.model,
    name: model.name,
    channelName: channel.name,
    maxFiles: ctx.settings.RAG_FILE_MAX_COUNT,
  });
  const rights = followRights(ctx, reply.model, { stream: true, since: Date.now() });
  let conversed: Conversed | undefined;
  try {
    conversed = await converse(ctx, model, {
      body: { model: reply.model, messages, ...(files.length > 0 ? { files } : {}) },
      stream: true,
      signal,
      refusal: rights.signal,
      api: "channel",
      onDelta({ choice, content = "" }) {
        if (choice !== 0) return;
        // No text of the database holds NUL; the places of what follows must be the same there.
        text.append({ content: content.replaceAll("\0", "").slice(0, maxReplyLength - text.content.length) });
        if (text.content.length >= maxReplyLength) onFull();
      },
      place: { chatId: `channel:${channel.id}`, messageId: reply.id, text },
      isWatched: true,
      position: () => text.content.length,
    });
    return endOf(await drainAnswer(conversed.answer, signal), conversed.retrieval?.sources ?? [], rights.refusal());
  } catch (error) {
    throw rights.refusal() ?? error;
  } finally {
    rights.end();
    conversed?.outlet?.close();
  }
}

function endOf(
  { error }: ModelReply,
  sources: NonNullable<Conversed["retrieval"]>["sources"],
  refusal: AppError | undefined,
): AnswerEnd {
  // Passages are for the person who asked; which documents they are from may be known to all who read the answer.
  const passages = sources
    .flatMap(({ source, metadata }) => metadata.map(({ number, page }) => ({ number, name: source.name, page })))
    .slice(0, maxSources);
  const extra = passages.length > 0 ? { sources: passages } : {};
  if (refusal) return { state: "error", error: explainFailure(refusal), extra };
  if (!error) return { state: "done", extra };
  return { state: "error", error: { message: error.message, code: error.code ?? "upstream_error" }, extra };
}

function failed(services: Services, reply: Reply, error: unknown): AnswerEnd {
  // A provider that is away is an end; where the database is, the answer is begun again.
  if (!(error instanceof UpstreamError || error instanceof AppError) && isStorageUnavailable(error)) throw error;
  const explained = explainFailure(error);
  if (explained.code === "internal_error") services.log.error("a reply failed", { message_id: reply.id, error });
  return { state: "error", error: explained };
}

/** Whether nobody waits for it any more: it was stopped, or is deleted. */
async function isGone(services: Services, { id }: Reply): Promise<boolean> {
  return (await loadReply(services.db, id)) === undefined;
}

/** Why the person who asked may not go on. */
async function whyLost(services: Services, reply: Reply): Promise<unknown> {
  try {
    await requireMayAsk(await contextOfAsker(services, reply), reply);
    return new AppError("conflict", "The answer was interrupted.");
  } catch (error) {
    return error;
  }
}
