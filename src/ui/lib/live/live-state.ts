import type { LiveEvent, RunSnapshot, ServerFrame } from "../../../shared/live-protocol.ts";

/** An answer being written, with all of its text so far. */
export type LiveRun = RunSnapshot;

/** What a tab knows from its socket. Everything in it survives a reconnect. */
export interface LiveState {
  /** Names one life of the coordinator's numbering; undefined before the first welcome. */
  epoch: string | undefined;
  /** What the service calls this tab's connection; undefined before the first welcome. */
  sessionId: string | undefined;
  /** Number of the last event applied. */
  seq: number;
  /** Answers under way, by message id. */
  runs: Readonly<Record<string, LiveRun>>;
  /** Questions that wait for an answer of this person, by the id of the call, oldest first. */
  calls: Readonly<Record<string, LiveEvent>>;
  /** The `seq` at which numbers were missing: after the same hole twice everything is asked for anew. */
  holeAfter: number | undefined;
}

export const initialLiveState: LiveState = {
  epoch: undefined,
  sessionId: undefined,
  seq: 0,
  runs: {},
  calls: {},
  holeAfter: undefined,
};

/** Outcome of one frame. */
export interface Received {
  state: LiveState;
  /** The event to hand on, if the frame was one that had not been seen. */
  event?: LiveEvent;
  /** The run that the event has ended, with its text. */
  ended?: LiveRun;
  /** The question that the event has closed. */
  closed?: LiveEvent;
  /** `reload`: what is shown may have missed events, load it again. `reconnect`: ask the server for the missing events. */
  then?: "reload" | "reconnect" | "sign-in";
}

/** What the tab already shows of a message, so that a continued answer grows from there. */
export type KnownText = (messageId: string) => { content: string; reasoning: string } | undefined;

/**
 * Applies one frame. Pure. Events are applied in order and exactly once: repeated ones are dropped, a gap changes nothing
 * and asks for a reconnect (the second time as if nothing were known), and a welcome without replay replaces the runs by the server's snapshots. What waits for an answer is taken from every
 * welcome: a replay that follows it ends at the same.
 */
export function receiveFrame(state: LiveState, frame: ServerFrame, known: KnownText = () => undefined): Received {
  switch (frame.kind) {
    case "welcome": {
      const calls = Object.fromEntries(frame.calls.flatMap((event) => (event.call ? [[event.call.id, event]] : [])));
      const sessionId = frame.session_id;
      if (frame.replayed && frame.epoch === state.epoch) return { state: { ...state, calls, sessionId } };
      const runs = Object.fromEntries(frame.runs.map((run) => [run.message_id, run]));
      return {
        state: { epoch: frame.epoch, sessionId, seq: frame.seq, runs, calls, holeAfter: undefined },
        then: "reload",
      };
    }
    case "signed-out":
      return { state, then: "sign-in" };
    case "event": {
      if (frame.seq <= state.seq) return { state };
      if (frame.seq > state.seq + 1) {
        // Going on over a hole would leave its text out of the answers under way: their snapshots are asked for instead.
        const isSecond = state.holeAfter === state.seq;
        const asking = isSecond ? { epoch: undefined, holeAfter: undefined } : { holeAfter: state.seq };
        return { state: { ...state, ...asking }, then: "reconnect" };
      }
      const { kind: _, seq, ...event } = frame;
      const runs = applyToRuns(state.runs, event, known);
      const before = event.message_id === undefined ? undefined : state.runs[event.message_id];
      const ended = before && !runs[before.message_id] ? { ended: before } : {};
      const calls = applyToCalls(state.calls, event);
      const closed = state.calls[closedCallId(event) ?? ""];
      return {
        state: { ...state, seq, runs, calls, holeAfter: undefined },
        event,
        ...ended,
        ...(closed ? { closed } : {}),
      };
    }
  }
}

/** What to say first on a new connection. */
export function helloFrame(state: LiveState): { kind: "hello"; epoch?: string; since?: number } {
  return state.epoch === undefined ? { kind: "hello" } : { kind: "hello", epoch: state.epoch, since: state.seq };
}

/** The id of the call that the event closes; undefined for every other event. */
function closedCallId({ data }: LiveEvent): string | undefined {
  return data.type === "call:closed" ? textField(data.data, "call_id") || undefined : undefined;
}

function applyToCalls(calls: LiveState["calls"], event: LiveEvent): LiveState["calls"] {
  if (event.call) return { ...calls, [event.call.id]: event };
  const id = closedCallId(event);
  return id === undefined ? calls : without(calls, id);
}

function applyToRuns(runs: LiveState["runs"], event: LiveEvent, known: KnownText): LiveState["runs"] {
  const id = event.message_id;
  if (id === undefined) return runs;
  const { type, data } = event.data;
  const content = textField(data, "content");
  const run = runs[id] ?? newRun(event, known);
  switch (type) {
    case "chat:message:delta":
    case "message":
      return run ? { ...runs, [id]: { ...run, content: run.content + content } } : runs;
    case "chat:message":
    case "replace":
      return run ? { ...runs, [id]: { ...run, content } } : runs;
    case "chat:reasoning:delta":
      return run ? { ...runs, [id]: { ...run, reasoning: run.reasoning + content } } : runs;
    case "chat:active":
      if (isRecord(data) && data["active"] === true) return run ? { ...runs, [id]: run } : runs;
      return without(runs, id);
    case "chat:completion":
      return isRecord(data) && data["done"] === true ? without(runs, id) : runs;
    case "chat:message:error":
      return without(runs, id);
    default:
      return runs;
  }
}

/**
 * A run that the last welcome did not list has begun since, so its text starts with what the message held before.
 * Events without `run_id` come from plugins and belong to a message, not to a run.
 */
function newRun(event: LiveEvent, known: KnownText): LiveRun | undefined {
  if (event.run_id === undefined || event.message_id === undefined || event.chat_id === undefined) return undefined;
  const before = known(event.message_id) ?? { content: "", reasoning: "" };
  const model = textField(event.data.data, "model");
  return {
    run_id: event.run_id,
    chat_id: event.chat_id,
    message_id: event.message_id,
    model,
    ...before,
    started_at: 0,
  };
}

function without<T>(all: Readonly<Record<string, T>>, id: string): Readonly<Record<string, T>> {
  if (!all[id]) return all;
  const { [id]: _, ...rest } = all;
  return rest;
}

/** A string field of an event's data, or an empty text: plugins may send anything. */
export function textField(data: unknown, name: string): string {
  return isRecord(data) && typeof data[name] === "string" ? data[name] : "";
}

/** Whether a value is an object whose fields may be looked at. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
