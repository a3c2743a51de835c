import { requireUser } from "../access.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import type { ImageList } from "../images/schema.ts";
import { textsIn } from "../lib/json.ts";
import { anySignal, runtimeSignal } from "../lib/stop-signal.ts";
import type { ModelKnowledge } from "../models/catalog/catalog-snapshot.ts";
import { findModel, type ResolvedModel } from "../models/catalog/find-model.ts";
import { boundIds, filtersFor } from "../plugins/function-index.ts";
import type { PluginEntry } from "../plugins/plugin-index.ts";
import type { AttachedTool, Attachment } from "../plugins/tool.ts";
import type { UpstreamAnswer } from "../upstream/answers/read-upstream-answer.ts";
import { requireQuota } from "../usage/quotas/require-quota.ts";
import { askModel, type Question, wantsUsage } from "./ask-model.ts";
import { codeTool } from "./code-runs/code-tool.ts";
import { wantsCode } from "./code-runs/wanted-code.ts";
import { announce } from "./conversations/announce-chats.ts";
import { where } from "./events/message-items.ts";
import { filterAnswer } from "./functions/filter-answer.ts";
import { createFunctionCaller, type FunctionCaller } from "./functions/function-caller.ts";
import { createOutlet, type Outlet } from "./functions/outlet.ts";
import { runInlets } from "./functions/run-inlets.ts";
import type { TurnPlace } from "./functions/turn-place.ts";
import { drawForTurn, type Drawing } from "./images/draw-for-turn.ts";
import { imageTools } from "./images/image-tools.ts";
import { wantedImages, type WantedImages } from "./images/wanted-images.ts";
import { loadMemories, putMemories } from "./memories/give-memories.ts";
import { memoryTools } from "./memories/memory-tools.ts";
import { type MemoryTurn, wantedMemories } from "./memories/wanted-memories.ts";
import { withPictures } from "./pictures/with-pictures.ts";
import { retrieve, wantsRetrieval, type Retrieval } from "./retrieval/retrieve.ts";
import { askWithTools, takesServerTools } from "./tools/ask-with-tools.ts";
import { attachTools } from "./tools/attach-tools.ts";
import { createToolSteps } from "./tools/tool-steps.ts";
import { wantedWebSearch, type WantedWebSearch } from "./web/wanted-web-search.ts";
import { webTools } from "./web/web-tools.ts";

/** A turn as seen by the code that answers it. */
export interface Turn extends Omit<Question, "functions"> {
  place: TurnPlace;
  /** What is searched beside the model's own knowledge, and as silently: what the caller may not read is not mentioned. */
  knowledge?: readonly ModelKnowledge[] | undefined;
  /** The person sees the turn in a tab, so problems can be shown there. */
  isWatched?: boolean;
  /** Current length of the message's text, including text from events; UTF-16 units. */
  position?: (() => number) | undefined;
  /** Continues an answer that has ended. */
  isContinued?: boolean;
}

export interface Conversed {
  answer: UpstreamAnswer;
  /** The result of the document search; undefined if there was nothing to search. */
  retrieval: Pick<Retrieval, "sources" | "notes"> | undefined;
  /** Pictures that were made for the answer. */
  images?: ImageList | undefined;
  /**
   * Runs the outlet filters, once, when the answer has ended; undefined if there are none. What it needs stays open
   * until then.
   */
  outlet: Outlet | undefined;
}

/**
 * One turn of a conversation for any kind of caller: inlet filters, document search, tools, the model, and stream
 * filters on each event of its answer. The caller runs the outlet filters, because the result is used differently. A
 * turn without any of these costs no more than asking the model.
 * @param asked a model that the caller may use; an inlet filter may select another
 * @throws AppError if an inlet filter refuses, and `quota_exceeded`, before any model is asked; UpstreamError if there
 *   is no valid answer
 */
export async function converse(ctx: Context, asked: ResolvedModel, turn: Turn): Promise<Conversed> {
  const { body, place } = turn;
  const model = withKnowledge(asked, turn.knowledge);
  const filters = filtersOf(model, body);
  if (isPlain(ctx, model, body, turn, filters)) {
    await requireQuota(ctx, model, { request: body });
    const pictured = await withPictures(ctx, model, body, turn.signal);
    return { answer: await askModel(ctx, model, { ...turn, body: pictured }), retrieval: undefined, outlet: undefined };
  }

  const signal = runtimeSignal(turn.signal);
  const functions = createFunctionCaller(ctx, {
    model,
    place,
    request: body,
    signal,
    involved: model.pipe ? [...filters, model.pipe] : filters,
  });
  let attachment: Attachment | undefined;
  try {
    const filtered = await runInlets(ctx, filters, functions, turn);
    const chosen =
      filtered["model"] === body["model"]
        ? model
        : withKnowledge(await findModel(ctx, filtered["model"] as string), turn.knowledge);
    await requireQuota(ctx, chosen, { request: body });
    const pictured = await withPictures(ctx, chosen, filtered, signal);
    const memory = wantedMemories(ctx, chosen, body, turn);
    const web = wantedWebSearch(ctx, chosen, body, turn);
    const [retrieval, memories] = await Promise.all([
      lookUp(ctx, chosen, pictured, filters, turn, web),
      memory.given ? loadMemories(ctx, filtered["messages"], signal) : [],
    ]);
    const drawing = await draw(ctx, chosen, filtered, turn, wantedImages(ctx, chosen, body, turn));
    if (retrieval) functions.tell(retrieval);
    attachment = await attach(ctx, chosen, filtered, functions, turn, [
      ...(memory.added ? memoryTools(ctx) : []),
      ...(web === "tools" ? webTools(ctx) : []),
      ...(wantedImages(ctx, chosen, body, turn) === "tools" ? imageTools(ctx) : []),
      ...(wantsCode(ctx, chosen, body, turn) ? [codeTool(ctx, body)] : []),
    ]);
    const outlet = wantsOutlet(ctx, turn)
      ? createOutlet(ctx, filters, functions, {
          body,
          place,
          onFailed: (filter, message) => tellFailure(ctx, turn, filter, message),
        })
      : undefined;
    const given = drawing ? drawing.tell(retrieval?.body ?? pictured) : (retrieval?.body ?? pictured);
    const told = { ...turn, body: putMemories(given, memories) };
    // What is told of the search need not keep the model waiting, but stands before its answer.
    const [answer] = await Promise.all([
      ask(ctx, chosen, told, { filters, functions, attachment }),
      retrieval?.told,
      drawing?.told,
    ]);
    if (!outlet) closeAfter(answer, functions);
    return { answer, retrieval, images: drawing?.images, outlet };
  } catch (error) {
    attachment?.close();
    functions.close();
    throw error;
  }
}

function withKnowledge(model: ResolvedModel, more: readonly ModelKnowledge[] = []): ResolvedModel {
  return more.length === 0 ? model : { ...model, knowledge: [...model.knowledge, ...more] };
}

function filtersOf(model: ResolvedModel, body: Record<string, unknown>): readonly PluginEntry[] {
  return filtersFor(model.functions, model.metas, textsIn(body["filter_ids"]));
}

/** Whether no part of the service takes part in the turn except the model. */
export function isPlain(
  ctx: Context,
  model: ResolvedModel,
  body: Record<string, unknown>,
  turn: MemoryTurn = { place: {} },
  filters: readonly PluginEntry[] = filtersOf(model, body),
): boolean {
  const memory = wantedMemories(ctx, model, body, turn);
  const isRemembering = memory.given || memory.added;
  const isHelped = isRemembering || wantsCode(ctx, model, body, turn) || wantsTools(model, body);
  const isFeatured =
    wantedWebSearch(ctx, model, body, turn) !== "none" || wantedImages(ctx, model, body, turn) !== "none";
  return filters.length === 0 && !model.pipe && !isHelped && !isFeatured && !wantsRetrieval(model, body);
}

interface Parts {
  filters: readonly PluginEntry[];
  functions: FunctionCaller;
  attachment: Attachment | undefined;
}

/** How long to wait for files that are being processed, milliseconds: over plain HTTP nothing is sent meanwhile. */
const fileTimeoutMs = { watched: 60_000, direct: 25_000 };

/** Searches documents for the answer, unless a filter handles them itself. */
async function lookUp(
  ctx: Context,
  model: ResolvedModel,
  body: Record<string, unknown>,
  filters: readonly PluginEntry[],
  turn: Turn,
  wantedWeb: WantedWebSearch,
): Promise<Retrieval | undefined> {
  const web = wantedWeb === "tools" ? "none" : wantedWeb;
  if (!wantsRetrieval(model, body) && web === "none") return undefined;
  if (filters.some(({ info }) => info.fileHandler && info.hooks.includes("inlet"))) return undefined;
  return retrieve(ctx, model, {
    body,
    place: turn.place,
    signal: untilEnd(turn),
    isContinued: turn.isContinued,
    web,
    fileTimeoutMs: turn.isWatched ? fileTimeoutMs.watched : fileTimeoutMs.direct,
  });
}

/** Has a picture made before the model is asked, where the request wants that. */
async function draw(
  ctx: Context,
  model: ResolvedModel,
  body: Record<string, unknown>,
  turn: Turn,
  wanted: WantedImages,
): Promise<Drawing | undefined> {
  if (wanted === "none" || wanted === "tools" || turn.isContinued) return undefined;
  return drawForTurn(ctx, model, { body, place: turn.place, signal: untilEnd(turn), isRefused: wanted === "refused" });
}

/** Fires when the turn ends before its answer does, for the runtime's functions. */
function untilEnd({ signal, refusal }: Turn): AbortSignal {
  return runtimeSignal(refusal ? anySignal([signal, refusal]) : signal);
}

/** Asks the model, with its tools, and filters what it answers. */
async function ask(
  ctx: Context,
  model: ResolvedModel,
  turn: Turn,
  { filters, functions, attachment }: Parts,
): Promise<UpstreamAnswer> {
  const { body, stream, signal, refusal, onDelta, place, position, api } = turn;
  const streamFilters = filters.filter(({ info }) => info.hooks.includes("stream"));
  const isFiltered = streamFilters.length > 0;
  const question: Question = isFiltered
    ? { body: withUsage(body, stream), stream, signal, functions, api }
    : { body, stream, signal, refusal, onDelta, functions, api };
  const answer = attachment
    ? await askWithTools(ctx, model, question, attachment, {
        chatId: place.chatId,
        messageId: place.messageId,
        sessionId: place.sessionId,
        capabilities: functions.capabilities,
        capabilitiesOf: functions.capabilitiesOf,
        steps: createToolSteps(ctx, place),
        position,
      })
    : await askModel(ctx, model, question);
  if (!isFiltered) return answer;
  return filterAnswer(
    ctx,
    answer,
    streamFilters,
    functions,
    {
      model: model.id,
      stream,
      includeUsage: wantsUsage(body),
      choices: typeof body["n"] === "number" ? body["n"] : undefined,
      onDelta,
      signal,
      refusal,
    },
    (filter, message) => tellFailure(ctx, turn, filter, message),
  );
}

/** Usage is recorded whether or not the caller asked for it. */
function withUsage(body: Record<string, unknown>, stream: boolean): Record<string, unknown> {
  if (!stream) return body;
  const options = body["stream_options"] as Record<string, unknown> | null | undefined;
  return { ...body, stream_options: { ...options, include_usage: true } };
}

function wantsTools(model: ResolvedModel, body: Record<string, unknown>): boolean {
  if (!takesServerTools(body)) return false;
  const { tool_ids: ids } = body;
  return Array.isArray(ids) ? ids.length > 0 : boundIds(model.metas.slice(0, 1), "toolIds").size > 0;
}

/** The tools that the request or the model names, and the service's own; undefined where there are none. */
async function attach(
  ctx: Context,
  model: ResolvedModel,
  body: Record<string, unknown>,
  functions: FunctionCaller,
  turn: Turn,
  builtIn: readonly AttachedTool[],
): Promise<Attachment | undefined> {
  if (!wantsTools(model, body) && builtIn.length === 0) return undefined;
  const { place } = turn;
  const attachment = await attachTools(
    ctx,
    {
      toolIds: Array.isArray(body["tool_ids"]) ? textsIn(body["tool_ids"]) : undefined,
      modelToolIds: [...boundIds(model.metas.slice(0, 1), "toolIds")],
      builtIn,
    },
    { reserved: functions.reserved() },
  );
  for (const note of attachment.notes) tellPerson(ctx, turn, note);
  // What belongs to the person alone is for the model; functions, which others wrote, do not get it.
  const tools = attachment.tools.filter(({ source }) => source.kind !== "built-in");
  functions.attach({
    shown: Object.fromEntries(tools.map(({ spec, source }) => [spec.name, { tool_id: source.id, spec }])),
    async callTool(_, name, args) {
      const tool = tools.find(({ spec }) => spec.name === name);
      if (!tool) throw new AppError("not_found", `No such tool: ${JSON.stringify(name.slice(0, 100))}`);
      const outcome = await tool.call(args, {
        callId: crypto.randomUUID(),
        chatId: place.chatId,
        messageId: place.messageId,
        sessionId: place.sessionId,
        model: model.id,
        messages: Array.isArray(body["messages"]) ? (body["messages"] as Record<string, unknown>[]) : [],
        capabilities: functions.capabilities,
        capabilitiesOf: functions.capabilitiesOf,
        signal: runtimeSignal(turn.signal),
      });
      if (!outcome.ok) throw new AppError("tool_server_failed", outcome.message);
      return outcome.content;
    },
  });
  return attachment;
}

/** Direct API calls run outlet filters only if the settings say so. */
function wantsOutlet(ctx: Context, { isWatched }: Turn): boolean {
  return isWatched === true || ctx.settings.OUTLET_FILTER_MODE === "prerelease";
}

function tellFailure(ctx: Context, turn: Turn, filter: PluginEntry, message: string): void {
  tellPerson(ctx, turn, `${filter.name} failed: ${message}`);
}

/** Reports a problem with an answer that continues. */
function tellPerson(ctx: Context, { isWatched, place }: Turn, content: string): void {
  if (!isWatched) return;
  announce(ctx, requireUser(ctx).id, {
    ...where(place),
    data: { type: "notification", data: { type: "warning", content: content.slice(0, 1000) } },
  });
}

function closeAfter(answer: UpstreamAnswer, functions: FunctionCaller): void {
  if (answer.kind === "json") functions.close();
  else void answer.finished.then(() => functions.close());
}
