import { isRecord } from "../../lib/json.ts";
import type { ReplyAccumulator } from "../answers/accumulate-reply.ts";
import { applyIdentity, type Chunk, extrasOf, readCreated, type StreamIdentity } from "../chunks/chunk-shape.ts";
import { holdsError, upstreamErrorFromBody } from "../errors/read-upstream-error.ts";
import { emptyAnswer, incompleteAnswer, invalidAnswer, type UpstreamError } from "../errors/upstream-error.ts";
import { createChoiceRepair, type EmitChunk } from "./repair-choices.ts";
import type { DeltaRepairOptions } from "./repair-delta.ts";

export interface ChunkRepairOptions extends DeltaRepairOptions {
  /** Name for chunks without a `model`. */
  model: string;
  /** Whether the caller asked for `stream_options.include_usage`. */
  includeUsage: boolean;
  /** How many choices the caller asked for (`n`). */
  choices: number;
  /** Epoch seconds. */
  now: () => number;
  newId: () => string;
  secrets?: readonly string[] | undefined;
  reply: ReplyAccumulator;
  emit: EmitChunk;
}

export interface ChunkRepair {
  /** One parsed event of the upstream; `own` is its text as one line. An error in it is returned, not thrown. */
  add(chunk: Chunk, own: string | undefined): UpstreamError | undefined;
  /**
   * The upstream has finished. Emits finish reasons and usage.
   * @param saidDone whether `[DONE]` was received: then a choice without a reason gets one, otherwise the answer is
   *   incomplete.
   */
  complete(saidDone: boolean): UpstreamError | undefined;
  /** Emits held texts, without finish reasons: an error follows. */
  release(): void;
  /** Whether every choice has its finish reason. */
  finished(): boolean;
  /** Whether a finish reason is held back. */
  holding(): boolean;
  /** Whether texts of the choice go through as they are from now on. */
  isSettled(index: unknown): boolean;
}

/** Chunks without a choice and an id that wait for the stream's identity. */
const maxEarlyChunks = 16;

/**
 * Converts a stream of chunks to the form that clients rely on: one id, created and model; choices as in
 * `repair-choices.ts`; then usage, if requested, in a chunk of its own.
 */
export function createChunkRepair(options: ChunkRepairOptions): ChunkRepair {
  const { emit, reply, includeUsage } = options;
  const choices = createChoiceRepair(emit, reply, options);
  let identity: StreamIdentity | undefined;
  let early: Chunk[] = [];
  let usage: Chunk | undefined;
  let heldUsage: { chunk: Chunk; own: string | undefined; usage: Chunk } | undefined;

  /** The first chunk with a choice sets the stream's identity; missing fields are generated. */
  function identify(chunk: Chunk): StreamIdentity {
    if (identity) return identity;
    const { id, model } = chunk;
    identity = {
      id: typeof id === "string" && id !== "" ? id : `chatcmpl-${options.newId()}`,
      created: readCreated(chunk["created"]) ?? options.now(),
      model: typeof model === "string" && model !== "" ? model : options.model,
    };
    const waiting = early;
    early = [];
    for (const metadata of waiting) {
      applyIdentity(metadata, identity);
      emit(metadata, undefined);
    }
    return identity;
  }

  /** A chunk without choices: usage, or something the upstream adds beside them. */
  function addMetadata(chunk: Chunk, own: string | undefined): void {
    const extras = extrasOf(chunk);
    const isEmpty = Object.keys(extras).length === 0 || chunk["type"] === "ping";
    let text = own;
    if (isRecord(chunk["usage"])) {
      if (includeUsage) {
        heldUsage = { chunk, own, usage: chunk["usage"] };
        return;
      }
      delete chunk["usage"];
      text = undefined;
      if (isEmpty || choices.fold(extras)) return;
    } else if (isEmpty) return;
    const named = typeof chunk["id"] === "string" && chunk["id"] !== "";
    if (!identity && !named && early.length < maxEarlyChunks) {
      early.push(chunk);
      return;
    }
    const changed = applyIdentity(chunk, identify(chunk));
    emit(chunk, changed ? undefined : text);
  }

  function add(chunk: Chunk, own: string | undefined): UpstreamError | undefined {
    const source = { status: 200, secrets: options.secrets };
    if (holdsError(chunk)) return upstreamErrorFromBody(chunk, source);
    const found: unknown[] = Array.isArray(chunk["choices"]) ? chunk["choices"] : [];
    const given = found.filter(isRecord);
    let changed = !Array.isArray(chunk["choices"]) || given.length !== found.length;
    const broken = given.find((choice) => holdsError({ error: choice["error"] }));
    if (broken) return upstreamErrorFromBody({ error: broken["error"] }, source);
    if (chunk["error"]) {
      // An empty error says nothing, but clients throw on any that is not null.
      delete chunk["error"];
      changed = true;
    }
    if (isRecord(chunk["usage"])) {
      usage = chunk["usage"];
      reply.setUsage(usage);
    }
    if (given.length === 0) {
      chunk["choices"] = [];
      reply.addChunk(chunk);
      addMetadata(chunk, changed ? undefined : own);
      return undefined;
    }
    if (isRecord(chunk["usage"])) {
      delete chunk["usage"];
      changed = true;
    }
    if (applyIdentity(chunk, identify(chunk))) changed = true;
    given.forEach((choice, position) => {
      if (repairIndex(choice, position)) changed = true;
    });
    return choices.add(chunk, given, changed ? undefined : own) ? undefined : invalidAnswer("too many choices");
  }

  function complete(saidDone: boolean): UpstreamError | undefined {
    if (choices.size() === 0) return emptyAnswer();
    if (!saidDone && choices.finished() < choices.size()) return incompleteAnswer();
    const shared = identify({});
    for (const end of choices.ends()) {
      reply.setFinish(end.index, end.reason);
      if (end.chunk) {
        emit(end.chunk, end.own);
        continue;
      }
      const chunk: Chunk = { choices: [{ index: end.index, delta: {}, finish_reason: end.reason }] };
      applyIdentity(chunk, shared);
      emit(chunk, undefined);
    }
    if (!includeUsage || !usage) return undefined;
    const own = heldUsage?.usage === usage ? heldUsage.own : undefined;
    const chunk: Chunk = { ...heldUsage?.chunk, choices: [], usage };
    const changed = applyIdentity(chunk, shared);
    emit(chunk, changed ? undefined : own);
    return undefined;
  }

  return {
    add,
    complete,
    release: choices.release,
    isSettled: choices.isSettled,
    finished() {
      return choices.size() >= options.choices && choices.finished() === choices.size();
    },
    holding() {
      return choices.finished() > 0;
    },
  };
}

/** Gives a choice without a usable index its position. */
function repairIndex(choice: Chunk, position: number): boolean {
  const { index } = choice;
  if (typeof index === "number" && Number.isInteger(index) && index >= 0) return false;
  choice["index"] = position;
  return true;
}
