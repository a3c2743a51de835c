import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import type { ResolvedModel } from "../../models/catalog/find-model.ts";
import { said } from "../../shared/status-words.ts";
import type { TurnPlace } from "../functions/turn-place.ts";
import { refusedNote, searchForTurn } from "../web/search-for-turn.ts";
import type { WantedWebSearch } from "../web/wanted-web-search.ts";
import { throwIfAborted } from "./abort.ts";
import { hasItems, readAskedItems, type AskedItems } from "./asked-items.ts";
import { describeOutcome, listNames, shortNames } from "./describe-search.ts";
import { fileViews, knowledgeViews } from "./file-views.ts";
import { filesOfCollections, findDocuments, type Documents, type KnownFile } from "./find-documents.ts";
import { inReadingOrder } from "./fit-pieces.ts";
import { gatherPieces } from "./gather-pieces.ts";
import { unsupportedNote, type RetrievalNote } from "./note.ts";
import { loadUsedNumbers, noNumbers, numberPieces, toSources, type AnswerSource } from "./number-pieces.ts";
import { planDocuments, type DocumentPlan } from "./plan-documents.ts";
import { putContext } from "./put-context.ts";
import { createTeller, type Teller } from "./teller.ts";
import { isAwaited, waitForFiles } from "./wait-for-files.ts";
import { questionsIn, wordQueries } from "./word-queries.ts";
import { writeQueries } from "./write-queries.ts";

/** A turn as far as its documents are concerned. */
export interface RetrievalTurn {
  /** The chat-completions body; its `files` list what to search. */
  body: Record<string, unknown>;
  place: TurnPlace;
  signal: AbortSignal;
  /** The answer is a continuation: existing sources keep their numbers. */
  isContinued?: boolean | undefined;
  /** How long to wait for files that are being processed, milliseconds. */
  fileTimeoutMs: number;
  /** Whether the web is searched too; `refused`: it was asked for and is not available. */
  web?: WantedWebSearch;
}

export interface Retrieval {
  /** The body with the passages in its last question. */
  body: Record<string, unknown>;
  /** Sources that the answer may cite; empty if nothing was found. */
  sources: AnswerSource[];
  /** What could not be used, and why. */
  notes: RetrievalNote[];
  /** For functions: `__files__` and `__model_knowledge__`. */
  files: Record<string, unknown>[];
  knowledge: Record<string, unknown>[];
  /** Resolves when the message has its sources and statuses; never fails. */
  told: Promise<void>;
}

/** Whether there is anything to search. No round trip. */
export function wantsRetrieval(model: Pick<ResolvedModel, "knowledge">, body: Record<string, unknown>): boolean {
  return model.knowledge.length > 0 || hasItems(body["files"]);
}

/**
 * Searches the documents of the request and the model's knowledge, as far as the caller may read them now, and adds
 * matching passages to the last question. What could not be used is reported: to the person's tabs, to the model and in
 * the answer.
 * @throws UpstreamError when the signal fires
 */
export async function retrieve(ctx: Context, model: ResolvedModel, turn: RetrievalTurn): Promise<Retrieval> {
  const { body, place, signal, web = "none" } = turn;
  const asked = readAskedItems(body["files"]);
  const teller = createTeller(ctx, requireUser(ctx).id, place);
  if (isGuide(model)) return refuse(body, teller);
  const known = await findAll(ctx, model, asked);
  await awaitFiles(ctx, asked, known, turn, teller);
  const plan = planDocuments(asked, model.knowledge, known);
  const notes: RetrievalNote[] = [...asked.others.map(unsupportedNote), ...plan.notes];
  if (web === "refused") {
    notes.push(refusedNote);
    teller.status({ action: "web_search", description: refusedNote.message, code: refusedNote.code, done: true });
  }
  for (const { message: description, code, id } of notes.filter(({ type }) => type !== "web"))
    teller.status({
      action: "file_skipped",
      description,
      done: true,
      code,
      ...(id === undefined ? {} : { file_id: id }),
    });

  const messages = Array.isArray(body["messages"]) ? (body["messages"] as unknown[]) : [];
  const questions = questionsIn(messages);
  const names = [...plan.names, ...asked.texts.map(({ name }) => name)];
  const query = (questions.at(-1) ?? "").slice(0, 1000).toWellFormed();
  const isSearch = plan.attached.length + plan.files.length + plan.collections.length > 0;
  if (isSearch)
    teller.status({
      action: "knowledge_search",
      ...said(["searching", ...shortNames(plan.names)]),
      query,
      done: false,
    });
  const queries = isSearch ? await queriesFor(ctx, model, messages, questions, signal) : [];
  const [gathered, used, fromWeb] = await Promise.all([
    gatherPieces(
      ctx,
      {
        search: {
          attached: plan.attached.map(({ id }) => id),
          files: plan.files,
          collections: plan.collections,
          queries,
        },
        attached: plan.attached,
        whole: await wholeFiles(ctx, plan),
        texts: asked.texts,
      },
      signal,
    ),
    turn.isContinued ? loadUsedNumbers(ctx, place) : noNumbers,
    web === "before" ? searchForTurn(ctx, model, { messages, signal, teller }) : undefined,
  ]);
  throwIfAborted(signal);
  const isOfDocuments = isSearch || plan.whole.length + plan.wholeCollections.length + asked.texts.length > 0;
  notes.push(...gathered.notes);
  const found = inReadingOrder(fromWeb?.pieces ?? []);
  const pieces = numberPieces([...gathered.pieces, ...found], used);
  const sources = toSources(pieces);
  teller.sources(toSources(pieces.filter(({ isKnown }) => !isKnown)));
  if (isOfDocuments || web === "none") {
    const documents = sources.filter(({ source }) => source.type !== "web").length;
    teller.status({
      action: "knowledge_search",
      ...describeOutcome(names, { passages: gathered.pieces.length, documents }, notes),
      ...(isSearch ? { query, queries } : {}),
      count: gathered.pieces.length,
      done: true,
    });
  }
  notes.push(...(fromWeb?.notes ?? []));
  const isNothing = asked.documents.length > 0 && gathered.pieces.length === 0 && names.length > 0;
  const untold = isNothing ? [nothingFound(names)] : [];
  return {
    body: {
      ...body,
      messages: putContext(messages, {
        pieces,
        notes: [...notes, ...untold],
        query: questions.at(-1) ?? "",
        template: ctx.settings.RAG_TEMPLATE,
      }),
    },
    sources,
    notes,
    files: fileViews(asked, model.knowledge, known),
    knowledge: knowledgeViews(model.knowledge, known),
    told: teller.settled(),
  };
}

/**
 * The guide answers while no model is connected; it does not search documents and treats the last message as a separate
 * question.
 */
function isGuide(model: ResolvedModel): boolean {
  return model.kind === "function" && !model.pipe;
}

function refuse(body: Record<string, unknown>, teller: Teller): Retrieval {
  const message = "No model is connected yet, and the guide does not search documents";
  teller.status({ action: "file_skipped", description: message, done: true, code: "unsupported" });
  const notes: RetrievalNote[] = [{ type: "model", name: "Parley guide", code: "unsupported", message }];
  return { body, sources: [], notes, files: [], knowledge: [], told: teller.settled() };
}

async function queriesFor(
  ctx: Context,
  model: ResolvedModel,
  messages: readonly unknown[],
  questions: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const written = ctx.settings.ENABLE_RETRIEVAL_QUERY_GENERATION
    ? await writeQueries(ctx, model.id, messages, signal)
    : undefined;
  throwIfAborted(signal);
  return written ?? wordQueries(questions);
}

/** Each file once, even if it is also in a collection. */
async function wholeFiles(ctx: Context, { whole, wholeCollections }: DocumentPlan): Promise<KnownFile[]> {
  if (wholeCollections.length === 0) return whole;
  const held = await filesOfCollections(ctx, wholeCollections);
  return [...new Map([...whole, ...held].map((file) => [file.id, file])).values()];
}

/** One round trip for everything; none if there are only texts. */
async function findAll(ctx: Context, model: ResolvedModel, asked: AskedItems): Promise<Documents> {
  const named = [
    ...asked.documents.map(({ type, id }) => ({ type, id })),
    ...model.knowledge.map(({ kind, targetId }) => ({ type: kind, id: targetId })),
  ];
  if (named.length === 0) return { files: new Map(), collections: new Map() };
  const idsOf = (type: string) => [...new Set(named.filter((each) => each.type === type).map(({ id }) => id))];
  return findDocuments(ctx, { files: idsOf("file"), collections: idsOf("collection") });
}

/** Waits for attached files, and uses their state afterwards. */
async function awaitFiles(
  ctx: Context,
  asked: AskedItems,
  found: Documents,
  { fileTimeoutMs, signal }: RetrievalTurn,
  teller: Teller,
): Promise<void> {
  const open = asked.documents
    .flatMap(({ type, id }) => (type === "file" ? [found.files.get(id)] : []))
    .filter((file): file is KnownFile => file !== undefined && isAwaited(file));
  if (open.length === 0) return;
  let isFirst = true;
  const seen = await waitForFiles(ctx, open, {
    timeoutMs: fileTimeoutMs,
    signal,
    onProgress(text) {
      const status = { action: "file_reading" as const, ...said(text), done: false };
      if (isFirst) teller.status(status);
      else teller.progress(status);
      isFirst = false;
    },
  });
  for (const { id } of open) {
    const now = seen.get(id);
    if (now) found.files.set(id, now);
    else found.files.delete(id);
  }
}

/** Tells the model that nothing was found, so that it does not invent an answer. */
function nothingFound(names: readonly string[]): RetrievalNote {
  const message = `Nothing relevant to the question was found in ${listNames(names)}`;
  return { type: "search", name: "Search", code: "not_found", message };
}
