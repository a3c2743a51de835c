import { isRecord } from "../../lib/json.ts";
import type { ReplyAccumulator } from "../answers/accumulate-reply.ts";
import { type Chunk, extrasOf, hasContent, readDelta } from "../chunks/chunk-shape.ts";
import { finishReason } from "../chunks/finish-reason.ts";
import { createDeltaRepair, type DeltaRepair, type DeltaRepairOptions } from "./repair-delta.ts";

/**
 * Receives an outgoing chunk. `own` is the upstream's own text for it if nothing changed, so that it can be forwarded
 * unchanged.
 */
export type EmitChunk = (chunk: Chunk, own: string | undefined) => void;

/** How a choice ends: with a chunk of the upstream, or, if it sent none, with a generated reason. */
export type ChoiceEnd =
  | { index: number; chunk: Chunk; own: string | undefined; reason: string }
  | { index: number; chunk: undefined; reason: string };

export interface ChoiceRepair {
  /**
   * A chunk with at least one choice. `own` is its text if nothing has changed so far.
   * @returns false if the stream has more choices than requested
   */
  add(chunk: Chunk, given: Chunk[], own: string | undefined): boolean;
  /** Adds fields beside the choices to a held finish chunk; false if there is none. */
  fold(extras: Chunk): boolean;
  /** Emits held texts, without finish reasons. */
  release(): void;
  /** The answer is complete: emits what was held and what is missing, and returns how its choices end. */
  ends(): ChoiceEnd[];
  /** Whether texts of the choice go through as they are from now on. */
  isSettled(index: unknown): boolean;
  /** How many choices the stream has. */
  size(): number;
  /** How many of them have a finish reason. */
  finished(): number;
}

interface ChoiceState {
  index: number;
  started: boolean;
  repair: DeltaRepair;
  held: HeldFinish | undefined;
}

/** A chunk of one choice with a finish reason, held until it is certain that nothing follows. */
interface HeldFinish {
  chunk: Chunk;
  choice: Chunk;
  own: string | undefined;
  hasContent: boolean;
}

/** The result of one chunk: whether it was repaired, and the choice to hold back. */
interface Step {
  changed: boolean;
  finishing: Chunk | undefined;
}

const maxChoices = 128;
const frameFields = ["id", "object", "created", "model", "system_fingerprint", "service_tier"];

/**
 * Ensures that each choice of a stream has its role once and first and one finish reason at its end.  A finish reason
 * is held until the upstream has finished: some upstreams send one with every chunk, some send text after it. The text
 * of a finishing chunk is sent as soon as more text arrives. The last reason wins, but `stop` never replaces a more
 * specific one. Empty chunks after the finish are dropped.
 */
export function createChoiceRepair(
  emit: EmitChunk,
  reply: ReplyAccumulator,
  options: DeltaRepairOptions = {},
): ChoiceRepair {
  const states = new Map<number, ChoiceState>();
  let heldCount = 0;
  let frame: Chunk = {};

  function stateOf(index: number): ChoiceState | undefined {
    const known = states.get(index);
    if (known || states.size >= maxChoices) return known;
    const state: ChoiceState = { index, started: false, repair: createDeltaRepair(options), held: undefined };
    states.set(index, state);
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
    held.chunk = frameOf(held.chunk, held.choice);
    held.own = undefined;
    held.hasContent = false;
  }

  function fold(extras: Chunk): boolean {
    for (const { held } of states.values()) {
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

  /** A choice that comes after its finish reason. Whether there is anything in it. */
  function addAfterFinish(choice: Chunk, reason: unknown, filled: boolean, held: HeldFinish, step: Step): boolean {
    if (filled) releaseContent(held);
    else step.changed = true;
    if (typeof reason !== "string") return filled;
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
    return filled;
  }

  /** Emits a delta of ours. */
  function say(state: ChoiceState, delta: Chunk): void {
    const own = state.started ? delta : { role: "assistant", ...delta };
    state.started = true;
    const chunk = frameOf(frame, { index: state.index, delta: own, finish_reason: null });
    reply.addChunk(chunk);
    emit(chunk, undefined);
  }

  /** Whether the choice stays in the chunk. */
  function addChoice(choice: Chunk, state: ChoiceState, step: Step): boolean {
    const { delta, changed } = readDelta(choice);
    const repaired = state.repair.add(delta);
    if (changed || repaired.isChanged) step.changed = true;
    if (repaired.before.length > 0 && state.held) releaseContent(state.held);
    for (const early of repaired.before) say(state, early);
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
    const given = choice["finish_reason"];
    const isSaid = typeof given === "string" && given !== "";
    const reason = isSaid ? finishReason(given, state.repair.isCalling()) : undefined;
    if (reason !== given && (isSaid || (given !== null && given !== undefined))) {
      choice["finish_reason"] = reason ?? null;
      step.changed = true;
    }
    if (state.held && !addAfterFinish(choice, reason, hasContent(choice, delta), state.held, step)) return false;
    if (reason === undefined) return true;
    step.finishing = choice;
    return false;
  }

  function hold(chunk: Chunk, choice: Chunk, own: string | undefined): void {
    const state = stateOf(choice["index"] as number);
    if (!state) return;
    if (!state.held) heldCount += 1;
    const delta = isRecord(choice["delta"]) ? choice["delta"] : {};
    // The role counts as content here: it must not be lost when the finish is held on its own.
    state.held = { chunk, choice, own, hasContent: hasContent(choice, delta) || "role" in delta };
  }

  /** A chunk of one choice, or of several without a finish. */
  function addPart(chunk: Chunk, given: Chunk[], own: string | undefined): boolean {
    const step: Step = { changed: false, finishing: undefined };
    const kept: Chunk[] = [];
    for (const choice of given) {
      const state = stateOf(choice["index"] as number);
      if (!state) return false;
      if (addChoice(choice, state, step)) kept.push(choice);
    }
    reply.addChunk(chunk);
    const untouched = step.changed ? undefined : own;
    if (step.finishing) hold(chunk, step.finishing, untouched);
    else if (kept.length === 0) fold(extrasOf(chunk));
    else {
      chunk["choices"] = kept;
      emit(chunk, untouched);
    }
    return true;
  }

  /** Emits what a choice still has to say. */
  function sayRest(state: ChoiceState, rest: Chunk | undefined): void {
    if (!rest) return;
    if (state.held) releaseContent(state.held);
    say(state, rest);
  }

  function endOf(state: ChoiceState): ChoiceEnd {
    const { index, repair } = state;
    sayRest(state, repair.rest());
    const reason = state.held?.choice["finish_reason"];
    sayRest(state, repair.end(reason === "length"));
    const { held } = state;
    if (!held) return { index, chunk: undefined, reason: finishReason("stop", repair.isCalling()) };
    // Calls may have come after the reason.
    const last = finishReason(String(reason), repair.isCalling());
    if (last !== reason) {
      held.choice["finish_reason"] = last;
      held.own = undefined;
    }
    return { index, chunk: held.chunk, own: held.own, reason: last };
  }

  return {
    add: (chunk, given, own) => {
      chunk["choices"] = given;
      frame = chunk;
      // A chunk that is held back must be of one choice.
      const finishes = given.some((choice) => Boolean(choice["finish_reason"]));
      if (given.length === 1 || !finishes) return addPart(chunk, given, own);
      return given.every((choice, position) => {
        const part = position === 0 ? { ...chunk, choices: [choice] } : frameOf(chunk, choice);
        return addPart(part, [choice], undefined);
      });
    },
    fold,
    release: () => {
      for (const state of states.values()) {
        if (state.held) releaseContent(state.held);
        sayRest(state, state.repair.rest());
      }
    },
    ends: () => Array.from(states.values(), endOf),
    isSettled: (index) => states.get(index as number)?.repair.isSettled() === true,
    size() {
      return states.size;
    },
    finished() {
      return heldCount;
    },
  };
}

/** A chunk with this one choice and the source's identity. */
function frameOf(source: Chunk, choice: Chunk): Chunk {
  const chunk: Chunk = {};
  for (const name of frameFields) {
    if (source[name] !== undefined) chunk[name] = source[name];
  }
  chunk["choices"] = [choice];
  return chunk;
}
