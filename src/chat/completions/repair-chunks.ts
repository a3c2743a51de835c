import { isRecord } from "../../lib/json.ts";
import type { ReplyAccumulator } from "./accumulate-reply.ts";
import {
  applyIdentity,
  type Chunk,
  extrasOf,
  hasContent,
  readCreated,
  readDelta,
  type StreamIdentity,
} from "./chunk-shape.ts";
import { holdsError, upstreamErrorFromBody } from "./read-upstream-error.ts";
import { emptyAnswer, incompleteAnswer, invalidAnswer, type UpstreamError } from "./upstream-error.ts";

export interface ChunkRepairOptions {
  /** Name for chunks without a `model`. */
  model: string;
  /** Whether the caller asked for `stream_options.include_usage`. */
  includeUsage: boolean;
  /** Epoch seconds. */
  now: () => number;
  newId: () => string;
  secrets?: readonly string[] | undefined;
  reply: ReplyAccumulator;
  /**
   * Takes a chunk that goes out. `own` is the upstream's own text for it where nothing had to be changed, so that it can
   * be forwarded as it is.
   */
  emit: (chunk: Chunk, own: string | undefined) => void;
}

interface ChoiceState {
  started: boolean;
  calledTools: boolean;
  held: HeldFinish | undefined;
}

/** A chunk with a finish reason, kept back until it is sure that nothing follows. */
interface HeldFinish {
  chunk: Chunk;
  choice: Chunk;
  own: string | undefined;
  hasContent: boolean;
}

/** What came of one chunk: whether it was repaired, and its choice that is to be held back. */
interface Step {
  changed: boolean;
  finishing: Chunk | undefined;
}

export interface ChunkRepair {
  /** One parsed event of the upstream; `own` is its text as one line. An error it holds is returned, not thrown. */
  add(chunk: Chunk, own: string | undefined): UpstreamError | undefined;
  /**
   * The upstream is through. Emits finish reasons and usage.
   * @param saidDone whether `[DONE]` was seen: then a choice without a reason gets one, otherwise the answer is cut off.
   */
  complete(saidDone: boolean): UpstreamError | undefined;
  /** Emits what was held back of the texts, without finish reasons: what comes next is an error. */
  release(): void;
  /** Whether every choice has its finish reason, so that nothing more has to come. */
  readonly finished: boolean;
  /** Whether no finish reason is held, so that equal chunks are treated equally. */
  readonly steady: boolean;
}

const mostChoices = 128;
const mostEarlyChunks = 16;
const frameFields = ["id", "object", "created", "model", "system_fingerprint", "service_tier"];

/**
 * Brings a stream of chunks into the grammar that clients rely on: the role once, first, in each choice; one id, created and
 * model; one finish reason for each choice, at its end; then usage, if asked for.
 *
 * A finish reason is held back until the upstream is through: some upstreams send one with every chunk, some send text after
 * it. The texts of a chunk that finishes are let go as soon as more text comes. The later reason counts, but `stop` never
 * replaces a more telling one. Chunks that carry nothing after the finish vanish.
 */
export function createChunkRepair(options: ChunkRepairOptions): ChunkRepair {
  const { emit, reply, includeUsage } = options;
  const choices = new Map<number, ChoiceState>();
  let identity: StreamIdentity | undefined;
  let early: Chunk[] = [];
  let usage: Chunk | undefined;
  let heldUsage: { chunk: Chunk; own: string | undefined; usage: Chunk } | undefined;
  let heldCount = 0;

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

  function frame(source: Chunk, choice: Chunk): Chunk {
    const chunk: Chunk = {};
    for (const name of frameFields) {
      if (source[name] !== undefined) chunk[name] = source[name];
    }
    chunk["choices"] = [choice];
    return chunk;
  }

  function stateOf(index: number): ChoiceState | undefined {
    const known = choices.get(index);
    if (known || choices.size >= mostChoices) return known;
    const state: ChoiceState = { started: false, calledTools: false, held: undefined };
    choices.set(index, state);
    return state;
  }

  function releaseContent(held: HeldFinish): void {
    if (!held.hasContent) return;
    const { finish_reason: reason, index } = held.choice;
    const open: Chunk = { ...held.choice, finish_reason: null };
    for (const name of ["native_finish_reason", "stop_reason"]) {
      if (name in open) open[name] = null;
    }
    emit({ ...held.chunk, choices: [open] }, undefined);
    held.choice = { index, delta: {}, finish_reason: reason };
    held.chunk = frame(held.chunk, held.choice);
    held.own = undefined;
    held.hasContent = false;
  }

  /** Gives fields beside the choices a place in a finish chunk, as there is no other chunk left for them. */
  function fold(extras: Chunk): boolean {
    for (const { held } of choices.values()) {
      if (!held) continue;
      for (const name in extras) {
        if (held.chunk[name] !== undefined) continue;
        held.chunk[name] = extras[name];
        held.own = undefined;
      }
      return true;
    }
    return false;
  }

  /** A chunk without choices: usage, or something the upstream adds beside them. */
  function addMetadata(chunk: Chunk, own: string | undefined): void {
    const extras = extrasOf(chunk);
    const isEmpty = Object.keys(extras).length === 0 || chunk["type"] === "ping";
    if (isRecord(chunk["usage"])) {
      if (includeUsage) {
        heldUsage = { chunk, own, usage: chunk["usage"] };
        return;
      }
      delete chunk["usage"];
      own = undefined;
      if (isEmpty || fold(extras)) return;
    } else if (isEmpty) return;
    const named = typeof chunk["id"] === "string" && chunk["id"] !== "";
    if (!identity && !named && early.length < mostEarlyChunks) {
      early.push(chunk);
      return;
    }
    const changed = applyIdentity(chunk, identify(chunk));
    emit(chunk, changed ? undefined : own);
  }

  /** Whether the choice is to stay in the chunk; `changed` is set on `step` where it was repaired. */
  function addChoice(choice: Chunk, state: ChoiceState, step: Step): boolean {
    const { delta, changed } = readDelta(choice);
    if (changed) step.changed = true;
    if (!state.started) {
      if (delta["role"] !== "assistant") {
        choice["delta"] = { role: "assistant", ...delta, ...("role" in delta ? { role: "assistant" } : {}) };
        step.changed = true;
      }
      state.started = true;
    } else if ("role" in delta) {
      delete delta["role"];
      step.changed = true;
    }
    const reason = choice["finish_reason"];
    const finishes = typeof reason === "string" && reason !== "";
    if (!finishes && reason !== null && reason !== undefined) {
      choice["finish_reason"] = null;
      step.changed = true;
    }
    const filled = hasContent(choice, delta);
    if (Array.isArray(delta["tool_calls"]) && delta["tool_calls"].length > 0) state.calledTools = true;
    const { held } = state;
    if (!held && !finishes) return true;

    if (held) {
      if (filled) releaseContent(held);
      if (finishes) {
        const before = held.choice["finish_reason"];
        const winner = reason === "stop" ? before : reason;
        if (!filled && winner !== before) {
          held.choice["finish_reason"] = winner;
          held.own = undefined;
        }
        if (filled && winner !== reason) {
          choice["finish_reason"] = winner;
          step.changed = true;
        }
      }
      if (!filled) {
        step.changed = true;
        return false;
      }
      if (!finishes) return true;
    }
    step.finishing = choice;
    return false;
  }

  function hold(chunk: Chunk, choice: Chunk, own: string | undefined): void {
    const state = choices.get(choice["index"] as number);
    if (!state) return;
    if (!state.held) heldCount += 1;
    const delta = isRecord(choice["delta"]) ? choice["delta"] : {};
    // The role counts as content here: it must not be lost when the finish is held on its own.
    const filled = hasContent(choice, delta) || "role" in delta;
    state.held = { chunk, choice, own, hasContent: filled };
  }

  function add(chunk: Chunk, own: string | undefined): UpstreamError | undefined {
    const fail = (body: unknown): UpstreamError =>
      upstreamErrorFromBody(body, { status: 200, secrets: options.secrets });
    if (holdsError(chunk)) return fail(chunk);
    const step = { changed: false };
    if (chunk["error"]) {
      // An empty error says nothing, but clients throw on any that is not null.
      delete chunk["error"];
      step.changed = true;
    }
    if (!Array.isArray(chunk["choices"])) {
      chunk["choices"] = [];
      step.changed = true;
    }
    const found: unknown[] = Array.isArray(chunk["choices"]) ? chunk["choices"] : [];
    const given = found.filter(isRecord);
    if (given.length !== found.length) step.changed = true;
    const broken = given.find((choice) => holdsError({ error: choice["error"] }));
    if (broken) return fail({ error: broken["error"] });

    if (isRecord(chunk["usage"])) {
      usage = chunk["usage"];
      reply.setUsage(usage);
    }
    if (given.length === 0) {
      reply.addChunk(chunk);
      addMetadata(chunk, step.changed ? undefined : own);
      return undefined;
    }
    if (isRecord(chunk["usage"])) {
      delete chunk["usage"];
      step.changed = true;
    }
    if (applyIdentity(chunk, identify(chunk))) step.changed = true;
    given.forEach((choice, position) => {
      if (repairIndex(choice, position)) step.changed = true;
    });
    chunk["choices"] = given;
    if (given.length === 1 || !mustSplit(given)) return addPart(chunk, given, step.changed ? undefined : own);
    for (const [position, choice] of given.entries()) {
      const part = position === 0 ? { ...chunk, choices: [choice] } : frame(chunk, choice);
      const error = addPart(part, [choice], undefined);
      if (error) return error;
    }
    return undefined;
  }

  /** A chunk of one choice, or of several different ones without a finish. */
  function addPart(chunk: Chunk, given: Chunk[], own: string | undefined): UpstreamError | undefined {
    const step: Step = { changed: false, finishing: undefined };
    const kept: Chunk[] = [];
    for (const choice of given) {
      const state = stateOf(choice["index"] as number);
      if (!state) return invalidAnswer("too many choices");
      if (addChoice(choice, state, step)) kept.push(choice);
    }
    reply.addChunk(chunk);
    const untouched = step.changed ? undefined : own;
    if (step.finishing) {
      hold(chunk, step.finishing, untouched);
      return undefined;
    }
    if (kept.length === 0) {
      fold(extrasOf(chunk));
      return undefined;
    }
    chunk["choices"] = kept;
    emit(chunk, untouched);
    return undefined;
  }

  function complete(saidDone: boolean): UpstreamError | undefined {
    if (choices.size === 0) return emptyAnswer();
    if (!saidDone && heldCount < choices.size) return incompleteAnswer();
    const shared = identify({});
    for (const [index, { held, calledTools }] of choices) {
      if (held) {
        reply.setFinish(index, String(held.choice["finish_reason"]));
        emit(held.chunk, held.own);
        continue;
      }
      const reason = calledTools ? "tool_calls" : "stop";
      const chunk: Chunk = { choices: [{ index, delta: {}, finish_reason: reason }] };
      applyIdentity(chunk, shared);
      reply.setFinish(index, reason);
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
    release: () => {
      for (const { held } of choices.values()) {
        if (held) releaseContent(held);
      }
    },
    get finished() {
      return choices.size > 0 && heldCount === choices.size;
    },
    get steady() {
      return heldCount === 0;
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

/** Whether each choice needs a chunk of its own: one of them finishes, or one comes twice. */
function mustSplit(choices: Chunk[]): boolean {
  return (
    choices.some((choice) => Boolean(choice["finish_reason"])) ||
    new Set(choices.map((choice) => choice["index"])).size < choices.length
  );
}
