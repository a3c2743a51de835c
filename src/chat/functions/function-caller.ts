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
import { allowancesOf, noteLogs } from "./afterwards.ts";
import { createCapabilities, type CapabilityScope } from "./capabilities.ts";
import { reservedFor, type ReservedSource } from "./reserved.ts";
import type { TurnPlace } from "./turn-place.ts";

export interface CallerOptions {
  /** Undefined where no model takes part. */
  model: ResolvedModel | undefined;
  place: TurnPlace;
  /** The request as it came; for what functions are told of it. */
  request: Record<string, unknown>;
  /** Cancels all calls. */
  signal: AbortSignal;
  /** Functions that may be called: their user valves are read together when the first one needs them. */
  involved: readonly PluginEntry[];
  /** How many functions have asked for this answer inside one another; 0 for a person's own request. */
  depth?: number | undefined;
  /** Pending calls of the turn's functions, all levels together. */
  waiting?: { count: number } | undefined;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  onChunk?: ((value: unknown) => void | Promise<void>) | undefined;
  /** `__id__`, if it is not the function's own. */
  id?: string | undefined;
}

/** The functions of one turn: each is opened once and stays open until the turn ends. */
export interface FunctionCaller {
  /** Never throws: failures are returned. */
  call(entry: PluginEntry, method: string, args: Record<string, unknown>, options?: CallOptions): Promise<PluginResult>;
  /** The function that answers instead of a model, as drivers need it. */
  pipe(entry: PluginEntry): PipeRun;
  /** Those of the service itself, for the turn's tools. */
  capabilities: PluginCapabilities;
  /** @param signal cancels its requests; the turn's own without it */
  capabilitiesOf(plugin: PluginEntry, signal?: AbortSignal): PluginCapabilities;
  /** Reserved parameters for the turn's tools, which add their own. */
  reserved(): Record<string, unknown>;
  /** Makes these tools available to functions. */
  attach(tools: AttachedHelpers): void;
  /** Replaces the documents that functions are told about. */
  tell(documents: TurnDocuments): void;
  /** Closes what is open; another call opens it again. */
  close(): void;
}

/** Tools in the form that functions can call. */
export interface AttachedHelpers {
  callTool: NonNullable<CapabilityScope["callTool"]>;
  /** `__tools__`. */
  shown: Record<string, unknown>;
}

/** What is searched for an answer, as far as the caller may read it. */
export interface TurnDocuments {
  /** `__files__`. */
  files: readonly Record<string, unknown>[];
  /** `__model_knowledge__`. */
  knowledge: readonly Record<string, unknown>[];
}

/** Maximum depth of completions that functions request inside one another. */
const maxDepth = 3;
/**
 * Maximum number of answers and tools that functions of one turn can wait for at the same time, because each may
 * request more.
 */
const maxWaiting = 64;

/** For background work, such as writing a title: a pipe must not report events or ask questions again. */
const unwatched: Pick<PluginCapabilities, "emit" | "call"> = {
  emit: () => Promise.resolve(),
  call: () => Promise.reject(new AppError("no_client", "This runs in the background: no one can answer questions")),
};

export function createFunctionCaller(ctx: Context, options: CallerOptions): FunctionCaller {
  const { model, place, involved, waiting = { count: 0 } } = options;
  let { request } = options;
  let knowledge: TurnDocuments["knowledge"] | undefined;
  const sessions = new Map<string, PluginSession>();
  let valves: ReturnType<typeof loadUserValves> | undefined;
  let helpers: AttachedHelpers | undefined;

  const scope: Omit<CapabilityScope, "signal" | "plugin"> = {
    place,
    complete: (now, body, signal) => completeInside(now, { ...options, waiting, signal }, body),
    callTool: async (now, name, args) => {
      const attached = helpers;
      if (!attached) throw new AppError("not_found", `No such tool: ${JSON.stringify(name.slice(0, 100))}`);
      return counted(waiting, () => attached.callTool(now, name, args));
    },
  };
  function capabilitiesUntil(signal: AbortSignal, plugin: PluginEntry | undefined): PluginCapabilities {
    const capabilities = createCapabilities(ctx, { ...scope, plugin, signal });
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
        ...allowancesOf(ctx, entry, method, signal, capabilitiesUntil),
        signal,
        onChunk,
      });
      note(ctx, entry, method, result);
      return result;
    } catch (error) {
      ctx.log.error("could not call a function", { plugin: entry.id, method, error });
      const message =
        error instanceof AppError
          ? error.message
          : "The call failed because of an internal error. The cause is in the log";
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
          ctx.log.warn("an event of a function was rejected", { plugin: entry.id, error });
        }),
    }),
    capabilities: capabilitiesUntil(options.signal, undefined),
    capabilitiesOf: (plugin, signal = options.signal) => capabilitiesUntil(signal, plugin),
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

async function counted<T>(waiting: { count: number }, work: () => Promise<T>): Promise<T> {
  if (waiting.count >= maxWaiting)
    throw new AppError(
      "too_many_requests",
      `Too many calls at once: functions can wait for ${maxWaiting} answers and tools`,
    );
  waiting.count++;
  try {
    return await work();
  } finally {
    waiting.count--;
  }
}

/** Files may be large and are not needed with every event. */
function withoutFiles(request: Record<string, unknown>): Record<string, unknown> {
  const { files: _, ...rest } = request;
  return rest;
}

/** Passes on what went wrong. */
function note(ctx: Context, entry: PluginEntry, method: string, result: PluginResult): void {
  const { id, family } = entry;
  noteLogs(ctx, entry, method, result.logs);
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

/** An answer that a function asks for: without filters and tools, because only the function reads it. */
export function completeInside(
  ctx: Context,
  options: Pick<CallerOptions, "place" | "depth" | "signal"> & { waiting: { count: number } },
  body: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  return counted(options.waiting, () => complete(ctx, options, body));
}

async function complete(
  ctx: Context,
  { place, depth = 0, waiting, signal }: Parameters<typeof completeInside>[1],
  body: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  if (depth >= maxDepth)
    throw new AppError(
      "conflict",
      `Completions that functions request inside one another are limited to ${maxDepth} levels`,
    );
  const { model: id } = body;
  if (typeof id !== "string" || !Array.isArray(body["messages"]))
    throw new AppError("validation_failed", "body: model and messages are required", { param: "body" });
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
