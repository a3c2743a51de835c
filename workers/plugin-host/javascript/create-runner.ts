import type { PluginInfo, PluginLog } from "../../../src/plugins/plugin-host.ts";
import type { IsolateBridge, IsolateCall, IsolateDescription, IsolateFailure, IsolateResult } from "../isolate.ts";
import type { Parameter, SourceMeta } from "./source-meta.ts";

/** Receives printed lines. */
export type Printer = (level: PluginLog["level"], text: string) => void;

/** The scope of a call, so that printed lines find their call. */
export interface CallScope {
  run<T>(print: Printer, work: () => T): T;
  getStore(): Printer | undefined;
}

export interface RunnerInput {
  meta: SourceMeta;
  /** As they were stored; what is missing is filled by the class of the valves. */
  valves: Record<string, unknown>;
  scope: CallScope;
  load(): Promise<Record<string, unknown>>;
  /** Characters of JSON that may leave at once. */
  outputLimit: number;
  /** Lines that one call may print. */
  logLimit: number;
  /** As what the classes of valves are exported. */
  valvesExport: string;
}

export interface Runner {
  describe(): Promise<string>;
  call(call: string, bridge: IsolateBridge): Promise<string>;
}

/**
 * Sends lines printed during calls to their logs. The text of this function is a module of every JavaScript isolate: it
 * refers to nothing outside itself.
 */
export function catchConsole(scope: CallScope): void {
  const levels: Record<string, PluginLog["level"]> = {
    debug: "debug",
    log: "info",
    info: "info",
    warn: "warning",
    error: "error",
  };
  const show = (value: unknown): string => {
    if (typeof value === "string") return value;
    if (value instanceof Error) return value.stack ?? String(value);
    try {
      return JSON.stringify(value) ?? String(value);
    } catch {
      return String(value);
    }
  };
  for (const [method, level] of Object.entries(levels)) {
    const original = console[method as "log"].bind(console);
    console[method as "log"] = (...values: unknown[]) => {
      const print = scope.getStore();
      if (print === undefined) return original(...values);
      print(level, values.map(show).join(" ").slice(0, 10_000));
    };
  }
}

/**
 * Loads a plugin once and calls its functions. The text of this function is a module of every JavaScript isolate: it
 * refers only to the language's globals, and captures them before the plugin is loaded.
 */
export function createRunner({ meta, valves, scope, load, outputLimit, logLimit, valvesExport }: RunnerInput): Runner {
  const { parse, stringify } = JSON;
  const { hasOwn } = Object;
  type Callable = (...values: unknown[]) => unknown;
  type Values = Record<string, unknown>;

  class CallError extends Error {
    readonly code: IsolateFailure["code"];
    constructor(code: IsolateFailure["code"], message: string) {
      super(message);
      this.code = code;
    }
  }

  let loading: Promise<{ instance: Values; module: Values }> | undefined;

  async function instantiate(): Promise<{ instance: Values; module: Values }> {
    const module = await load();
    const exported = module[meta.exported] as Values | (new () => Values);
    const instance = typeof exported === "function" ? new exported() : exported;
    const Valves = module[valvesExport] as (new () => Values) | undefined;
    if (Valves !== undefined) instance["valves"] = Object.assign(new Valves(), valves);
    else if (typeof instance["valves"] === "object") Object.assign(instance["valves"] as Values, valves);
    return { instance, module };
  }

  /** A source that does not load is tried again by the next call. */
  function open(): Promise<{ instance: Values; module: Values }> {
    loading ??= instantiate().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  }

  /** Of the innermost place in the plugin's own source. */
  function lineOf(error: unknown): number | undefined {
    const stack = typeof error === "object" && error !== null && "stack" in error ? String(error.stack) : "";
    const found = /(?:plugin\.js|data:text\/javascript[^\s:]*):(\d+)(?::\d+)?/.exec(stack);
    return found ? Number(found[1]) : undefined;
  }

  function describeFailure(error: unknown): IsolateFailure {
    if (error instanceof CallError) return { code: error.code, name: "Error", message: error.message };
    const isError = typeof error === "object" && error !== null;
    const { name, message, status } = (isError ? error : {}) as Values;
    const line = lineOf(error);
    const text = (isError ? String(message ?? "") : String(error)).slice(0, 10_000);
    return {
      code: "threw",
      name: typeof name === "string" ? name.slice(0, 200) : "Error",
      message: text.startsWith("This worker is not permitted to access the internet")
        ? "This plugin has no allowed hosts: an administrator can add some"
        : text,
      ...(line === undefined ? {} : { line }),
      ...(typeof status === "number" ? { status } : {}),
    };
  }

  function toJson(value: unknown): string {
    let text: string | undefined;
    try {
      text = stringify(value);
    } catch (error) {
      throw new TypeError(`Its result cannot be converted to JSON: ${(error as Error).message}`, { cause: error });
    }
    if (text === undefined) return "null";
    if (text.length > outputLimit) throw new CallError("output", "Its result is larger than the limit");
    return text;
  }

  const isReserved = (name: string) => name.startsWith("__") && name.endsWith("__");

  function fill(parameters: Parameter[], { args }: IsolateCall, reserved: Values): unknown[] {
    const valueOf = (name: string) => {
      const from = isReserved(name) ? reserved : args;
      return hasOwn(from, name) ? from[name] : undefined;
    };
    return parameters.map((parameter, at) => {
      if ("name" in parameter) {
        const { name } = parameter;
        // Hooks have one argument, and their first parameter may be named as one likes.
        const isHook = meta.type !== "tools" && at === 0 && !isReserved(name) && !hasOwn(args, name);
        return isHook ? Object.values(args)[0] : valueOf(name);
      }
      // What a model made up goes by no reserved name.
      const own = () => Object.fromEntries(Object.entries(args).filter(([name]) => !isReserved(name)));
      const values = parameter.rest ? own() : {};
      for (const key of parameter.keys) (values as Values)[key] = valueOf(key);
      return values;
    });
  }

  type Follow = <T>(promise: Promise<T>) => Promise<T>;

  /** The parameters that are more than data. */
  function makeHelpers(bridge: IsolateBridge, reserved: Values, follow: Follow): Values {
    const request = async (name: string, args: Values = {}) =>
      parse(await follow(bridge.request(name, stringify(args)))) as unknown;
    const callTool = (name: string, args: Values = {}) => request("tool.call", { name, args });
    const base64 = (content: string | Uint8Array) => {
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
      let binary = "";
      for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
      return btoa(binary);
    };
    const tools = reserved["__tools__"];
    return {
      ...reserved,
      __event_emitter__: (event: unknown) => follow(bridge.emit(stringify(event) ?? "null")),
      __event_call__: async (event: unknown) => parse(await follow(bridge.call(stringify(event) ?? "null"))) as unknown,
      ...(typeof tools === "object" && tools !== null
        ? {
            __tools__: Object.fromEntries(
              Object.entries(tools).map(([name, tool]) => [
                name,
                { ...(tool as Values), call: (args: Values) => callTool(name, args) },
              ]),
            ),
          }
        : {}),
      get __signal__() {
        const abort = new AbortController();
        bridge.over().then(
          () => abort.abort(),
          () => undefined,
        );
        return abort.signal;
      },
      __service__: {
        request,
        getUser: (id?: string) => request("user.get", id === undefined ? {} : { id }),
        getChat: (id?: string) => request("chat.get", id === undefined ? {} : { id }),
        listModels: () => request("model.list"),
        complete: (body: Values) => request("completion.create", { body }),
        callTool,
        createFile: (file: { name: string; contentType?: string; content: string | Uint8Array }) =>
          request("file.create", {
            name: file.name,
            content_type: file.contentType ?? "application/octet-stream",
            base64: base64(file.content),
          }),
      },
    };
  }

  /** What a function returned as values that come one after another; undefined for a value that is whole. */
  function valuesOf(value: unknown): AsyncIterable<unknown> | Iterable<unknown> | undefined {
    if (typeof value !== "object" || value === null || Array.isArray(value) || ArrayBuffer.isView(value)) return;
    if (value instanceof Response) return readResponse(value);
    if (value instanceof ReadableStream) return decode(value as ReadableStream<unknown>);
    if (value instanceof Map || value instanceof Set) return;
    if (Symbol.asyncIterator in value) return value as AsyncIterable<unknown>;
    return Symbol.iterator in value ? (value as Iterable<unknown>) : undefined;
  }

  async function* decode(stream: ReadableStream<unknown>): AsyncGenerator<unknown> {
    const decoder = new TextDecoder();
    for await (const part of stream) {
      if (!(part instanceof Uint8Array)) yield part;
      else {
        const text = decoder.decode(part, { stream: true });
        if (text !== "") yield text;
      }
    }
    const rest = decoder.decode();
    if (rest !== "") yield rest;
  }

  /** The lines of an event stream that say something; the text of anything else. */
  async function* readResponse(response: Response): AsyncGenerator<unknown> {
    if (response.body === null) return;
    const isEvents = response.headers.get("content-type")?.includes("text/event-stream") === true;
    if (!isEvents) return yield* decode(response.body as ReadableStream<unknown>);
    let rest = "";
    for await (const text of decode(response.body as ReadableStream<unknown>)) {
      const lines = (rest + String(text)).split(/\r?\n/);
      rest = lines.pop() ?? "";
      for (const line of lines) if (line !== "") yield line;
    }
    if (rest !== "") yield rest;
  }

  async function finish(value: unknown, wantsChunks: boolean, bridge: IsolateBridge): Promise<string> {
    const isJson = value instanceof Response && value.headers.get("content-type")?.includes("json") === true;
    const whole = isJson ? ((await value.json()) as unknown) : value;
    const values = valuesOf(whole);
    if (values === undefined) return `{"ok":true,"streamed":false,"value":${toJson(whole)}}`;
    const parts: string[] = [];
    let length = 0;
    for await (const each of values) {
      const part = toJson(each);
      if (wantsChunks) await bridge.chunk(part);
      else {
        parts.push(part);
        if ((length += part.length) > outputLimit) throw new CallError("output", "Its result is larger than the limit");
      }
    }
    return wantsChunks
      ? `{"ok":true,"streamed":true,"value":null}`
      : `{"ok":true,"streamed":false,"value":[${parts.join(",")}]}`;
  }

  async function run(call: IsolateCall, bridge: IsolateBridge, follow: Follow): Promise<string> {
    const { instance } = await open();
    const parameters = hasOwn(meta.parameters, call.method) ? meta.parameters[call.method] : undefined;
    const target = instance[call.method];
    if (parameters === undefined || typeof target !== "function") {
      if (call.method === "pipes" && Array.isArray(target)) return finish(target, false, bridge);
      throw new CallError("missing", `It has no function named ${call.method}`);
    }
    const { body } = call.args;
    const ofBody = meta.type !== "tools" && typeof body === "object" && body !== null;
    const reserved = ofBody
      ? { __body__: body, __messages__: (body as Values)["messages"], ...call.reserved }
      : call.reserved;
    const values = fill(parameters, call, makeHelpers(bridge, reserved, follow));
    const returned: unknown = await (target as Callable).apply(instance, values);
    // A filter that changed what it was given, and returned nothing. An event for which nothing is returned is dropped.
    const isChanged = returned === undefined && meta.type === "filter" && call.method !== "stream";
    return finish(isChanged ? body : returned, call.wantsChunks, bridge);
  }

  /** Events and lines that nobody awaited are sent before the call is over. */
  async function runWhole(call: IsolateCall, bridge: IsolateBridge): Promise<string> {
    const pending = new Set<Promise<unknown>>();
    const follow: Follow = (promise) => {
      const settled: Promise<unknown> = promise.catch(() => undefined).finally(() => pending.delete(settled));
      pending.add(settled);
      return promise;
    };
    // More are not kept, and each would be in memory until it is sent.
    let lines = 0;
    const print: Printer = (level, text) => {
      if (++lines <= logLimit) void follow(bridge.log(level, text)).catch(() => undefined);
    };
    try {
      return await scope.run(print, () => run(call, bridge, follow));
    } finally {
      await Promise.all(pending);
    }
  }

  function readInfo({ instance, module }: { instance: Values; module: Values }): PluginInfo {
    const Valves = module[valvesExport] as (new () => Values) | undefined;
    const text = (value: unknown) => (typeof value === "string" ? value : undefined);
    const list = (value: unknown) => (Array.isArray(value) ? (value as Values[]) : []);
    const hooks = ["pipe", "pipes", "inlet", "outlet", "stream", "action"];
    return {
      type: meta.type,
      language: "javascript",
      manifest: meta.manifest,
      hooks: meta.type === "tools" ? [] : hooks.filter((hook) => hasOwn(meta.parameters, hook)),
      specs: meta.specs,
      valvesSchema: meta.valvesSchema,
      userValvesSchema: meta.userValvesSchema,
      valveDefaults: Valves === undefined ? {} : (parse(stringify(new Valves())) as Values),
      toggle: instance["toggle"] === true,
      icon: text(instance["icon"]) ?? meta.manifest["icon_url"] ?? null,
      fileHandler: instance["fileHandler"] === true || instance["file_handler"] === true,
      pipes: Array.isArray(instance["pipes"])
        ? list(instance["pipes"]).map(({ id, name }) => ({ id: String(id), name: String(name ?? id) }))
        : null,
      namePrefix: meta.type === "pipe" ? (text(instance["name"]) ?? "") : "",
      actions: list(instance["actions"]).map(({ id, name, icon, icon_url }) => ({
        id: String(id),
        name: String(name ?? id),
        icon: text(icon) ?? text(icon_url) ?? null,
      })),
    };
  }

  return {
    async describe() {
      try {
        return stringify({ info: readInfo(await open()), problems: [] } satisfies IsolateDescription);
      } catch (error) {
        const { name, message, line } = describeFailure(error);
        const problem = { severity: "error" as const, message: `It could not be loaded: ${name}: ${message}` };
        return stringify({
          problems: [line === undefined ? problem : { ...problem, line }],
        } satisfies IsolateDescription);
      }
    },
    async call(text, bridge) {
      try {
        return await runWhole(parse(text) as IsolateCall, bridge);
      } catch (error) {
        return stringify({ ok: false, error: describeFailure(error) } satisfies IsolateResult);
      }
    },
  };
}
