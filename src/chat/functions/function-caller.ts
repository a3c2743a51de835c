import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { findModel, type ResolvedModel } from "../../models/catalog/find-model.ts";
import type { PipeRun } from "../../models/drivers/function-model/complete-pipe.ts";
import { openPlugin } from "../../plugins/open-plugin.ts";
import type { PluginCapabilities, PluginResult, PluginSession } from "../../plugins/plugin-host.ts";
import type { PluginEntry } from "../../plugins/plugin-index.ts";
import { loadUserValves } from "../../plugins/user-valves.ts";
import { requireQuota } from "../../usage/quotas/require-quota.ts";
import { askModel } from "../ask-model.ts";
import { emitEvent } from "../events/emit-event.ts";
import { createCapabilities, type CapabilityScope } from "./capabilities.ts";
import { reservedFor, type ReservedSource } from "./reserved.ts";
import type { TurnPlace } from "./turn-place.ts";

export interface CallerOptions {
  /** Undefined where no model takes part. */
  model: ResolvedModel | undefined;
  place: TurnPlace;
  /** The request as it came; for what functions are told of it. */
  request: Record<string, unknown>;
  /** Ends all calls. */
  signal: AbortSignal;
  /** Functions that may be called: the user valves of those that have any are read together, when the first one needs them. */
  involved: readonly PluginEntry[];
  /** How many functions have asked for this answer, each for the next one; 0 for a person's own request. */
  depth?: number | undefined;
  /** What functions of the turn wait for, all depths together. */
  waiting?: { count: number } | undefined;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  onChunk?: ((value: unknown) => void | Promise<void>) | undefined;
  /** `__id__` where it is not the function's own. */
  id?: string | undefined;
}

/** The functions of one turn: each is opened once and stays open until the turn is over. */
export interface FunctionCaller {
  /** Never throws: what goes wrong is a result. */
  call(entry: PluginEntry, method: string, args: Record<string, unknown>, options?: CallOptions): Promise<PluginResult>;
  /** The function that answers for the model, as drivers need it. */
  pipe(entry: PluginEntry): PipeRun;
  capabilities: PluginCapabilities;
  /** Reserved parameters for tools of the turn, which add what is theirs. */
  reserved(): Record<string, unknown>;
  /** From now on functions may call these tools. */
  attach(tools: AttachedHelpers): void;
  /** From now on functions are told of these documents instead of what the request says. */
  tell(documents: TurnDocuments): void;
  /** Lets go of what is open; another call opens it again. */
  close(): void;
}

/** Tools as functions may call them. */
export interface AttachedHelpers {
  callTool: NonNullable<CapabilityScope["callTool"]>;
  /** `__tools__`. */
  shown: Record<string, unknown>;
}

/** What an answer is looked up in, as far as the caller may read it. */
export interface TurnDocuments {
  /** `__files__`. */
  files: readonly Record<string, unknown>[];
  /** `__model_knowledge__`. */
  knowledge: readonly Record<string, unknown>[];
}

/** So many functions may ask for an answer inside another's. */
const deepest = 3;
/** Answers and tools that functions of one turn may wait for at the same time: each may ask for more of them in turn. */
const mostWaiting = 64;

/** Of work in the background, such as writing a title: a pipe that reports and asks there would do so a second time. */
const unwatched: Pick<PluginCapabilities, "emit" | "call"> = {
  emit: () => Promise.resolve(),
  call: () => Promise.reject(new AppError("no_client", "Nobody watches this work: it is done in the background")),
};

export function createFunctionCaller(ctx: Context, options: CallerOptions): FunctionCaller {
  const { model, place, involved, waiting = { count: 0 } } = options;
  let { request } = options;
  let knowledge: TurnDocuments["knowledge"] | undefined;
  const sessions = new Map<string, PluginSession>();
  let valves: ReturnType<typeof loadUserValves> | undefined;
  let helpers: AttachedHelpers | undefined;

  const scope: Omit<CapabilityScope, "signal"> = {
    place,
    complete: (now, body, signal) => counted(() => completeInside(now, { ...options, waiting, signal }, body)),
    callTool: async (now, name, args) => {
      const attached = helpers;
      if (!attached) throw new AppError("not_found", `There is no tool ${JSON.stringify(name.slice(0, 100))}`);
      return counted(() => attached.callTool(now, name, args));
    },
  };
  async function counted<T>(work: () => Promise<T>): Promise<T> {
    if (waiting.count >= mostWaiting)
      throw new AppError("too_many_requests", `Functions wait for ${mostWaiting} answers and tools already`);
    waiting.count++;
    try {
      return await work();
    } finally {
      waiting.count--;
    }
  }
  function capabilitiesUntil(signal: AbortSignal): PluginCapabilities {
    const capabilities = createCapabilities(ctx, { ...scope, signal });
    return place.task === undefined ? capabilities : { ...capabilities, ...unwatched };
  }

  async function userValvesOf(entry: PluginEntry): Promise<Record<string, unknown> | undefined> {
    if (entry.info.userValvesSchema === null) return undefined;
    const ids = new Set([entry, ...involved].filter(({ info }) => info.userValvesSchema !== null).map(({ id }) => id));
    valves ??= loadUserValves(ctx, entry.family, [...ids]);
    // A filter may have chosen a function as the model that nobody had thought of.
    const found = (await valves).get(entry.id) ?? (await loadUserValves(ctx, entry.family, [entry.id])).get(entry.id);
    return found ?? {};
  }

  function sessionOf(entry: PluginEntry): PluginSession {
    let session = sessions.get(entry.id);
    if (!session) sessions.set(entry.id, (session = openPlugin(ctx, entry)));
    return session;
  }

  async function call(
    entry: PluginEntry,
    method: string,
    args: Record<string, unknown>,
    { signal = options.signal, onChunk, id = entry.id }: CallOptions = {},
  ): Promise<PluginResult> {
    try {
      const source: ReservedSource = {
        model,
        place,
        request: method === "stream" ? withoutFiles(request) : request,
        id,
        userValves: await userValvesOf(entry),
        tools: helpers?.shown,
        knowledge,
      };
      const result = await sessionOf(entry).call({
        method,
        args,
        reserved: reservedFor(ctx, source),
        capabilities: capabilitiesUntil(signal),
        signal,
        timeoutMs: ctx.settings.PLUGIN_TIMEOUT * 1000,
        onChunk,
      });
      note(ctx, entry, method, result);
      return result;
    } catch (error) {
      ctx.log.error("a function could not be called", { plugin: entry.id, method, error });
      const message = error instanceof AppError ? error.message : "It could not be called; the log knows why";
      return { ok: false, error: { code: "unavailable", message }, logs: [] };
    }
  }

  return {
    call,
    pipe: (entry) => ({
      name: entry.name,
      call: (body, signal, onChunk) => call(entry, "pipe", { body }, { signal, onChunk }),
      emit: (event) =>
        emitEvent(ctx, place, event).catch((error: unknown) => {
          ctx.log.warn("an event of a function was not taken", { plugin: entry.id, error });
        }),
    }),
    capabilities: capabilitiesUntil(options.signal),
    reserved: () => reservedFor(ctx, { model, place, request, id: "", userValves: undefined, knowledge }),
    attach: (attached) => void (helpers = attached),
    tell(documents) {
      request = { ...request, files: documents.files };
      ({ knowledge } = documents);
    },
    close() {
      for (const session of sessions.values()) session.close();
      sessions.clear();
    },
  };
}

/** Files may be large, and nobody needs them with every event. */
function withoutFiles(request: Record<string, unknown>): Record<string, unknown> {
  const { files: _, ...rest } = request;
  return rest;
}

/** What a function says as a warning or worse, and how it failed. What it prints for its author stays with its author. */
function note(ctx: Context, { id, family }: PluginEntry, method: string, result: PluginResult): void {
  for (const { level, text } of result.logs) {
    if (level === "error" || level === "warning")
      ctx.log.warn("a plugin said", { plugin: `${family}/${id}`, method, level, text: text.slice(0, 1000) });
  }
  if (result.ok || result.error.code === "aborted") return;
  const { code, name, line, message } = result.error;
  ctx.log.warn("a plugin failed", {
    plugin: `${family}/${id}`,
    method,
    code,
    ...(name === undefined ? {} : { name }),
    ...(line === undefined ? {} : { line }),
    text: message.slice(0, 1000),
  });
}

/** An answer that a function asks for: no filters run, and no tools are attached, as nobody but the function reads it. */
async function completeInside(
  ctx: Context,
  { place, depth = 0, waiting, signal }: CallerOptions,
  body: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  if (depth >= deepest)
    throw new AppError("conflict", `Functions may ask for an answer inside another's only ${deepest} deep`);
  const { model: id } = body;
  if (typeof id !== "string" || !Array.isArray(body["messages"]))
    throw new AppError("validation_failed", "body: model and messages are needed", { param: "body" });
  const model = await findModel(ctx, id);
  const functions = createFunctionCaller(ctx, {
    model,
    place,
    request: body,
    signal,
    involved: model.pipe ? [model.pipe] : [],
    depth: depth + 1,
    waiting,
  });
  try {
    await requireQuota(ctx, model, { isFurther: true });
    const answer = await askModel(ctx, model, { body, stream: false, signal, functions, isFurther: true });
    return answer.kind === "json" ? answer.value : {};
  } finally {
    functions.close();
  }
}
