import type { WheelIndex } from "./packages/wheel-index.ts";

/** Where plugins run: isolates of their own, outside this Worker. What verbs know of it. */

/** JSON Schema of valves and tools. */
export type JsonSchema = Record<string, unknown>;

export type PluginType = "pipe" | "filter" | "action" | "tools";
export type PluginLanguage = "javascript" | "python";

/** A function in the form for a model (the `function` of a chat-completions tool). */
export interface ToolSpec {
  name: string;
  description: string;
  parameters: JsonSchema;
}

/** One package (a wheel) that an administrator uploaded. */
export interface PluginPackage {
  name: string;
  version: string;
  filename: string;
  /** Of the file, hexadecimal. */
  sha256: string;
  contents: WheelIndex;
  /** Asked for only where no isolate is warm. */
  bytes(): Promise<Uint8Array>;
}

/** The description of a source when it is saved, obtained without calling any of its functions except constructors. */
export interface PluginInfo {
  type: PluginType;
  language: PluginLanguage;
  /** Key and value lines of the leading comment: title, author, version, requirements and so on. */
  manifest: Record<string, string>;
  /** Public functions among `pipe pipes inlet outlet stream action`; empty for tools. */
  hooks: string[];
  /** Of tools: one for each public method. */
  specs: ToolSpec[];
  /** Null where the plugin has none. */
  valvesSchema: JsonSchema | null;
  userValvesSchema: JsonSchema | null;
  /** Defaults of the valves, `priority` among them. */
  valveDefaults: Record<string, unknown>;
  /** Of filters: people switch it on for a chat themselves. */
  toggle: boolean;
  /** Address or data URL of a small picture. */
  icon: string | null;
  /** Of filters: it reads the attached files itself. */
  fileHandler: boolean;
  /** Of pipes: the models of a manifold that stand in the source; null where `pipes()` has to be asked, or there is one model. */
  pipes: { id: string; name: string }[] | null;
  /** Of pipes: `name` attribute, a prefix of a manifold's names. */
  namePrefix: string;
  /** Of actions: several buttons of one plugin; empty for one. */
  actions: { id: string; name: string; icon: string | null }[];
}

/** A problem of a source, with its place if known; lines and columns begin with 1. */
export interface SourceProblem {
  severity: "error" | "warning";
  message: string;
  line?: number;
  column?: number;
  /** A package that would help, as registries name it. */
  package?: string;
}

export interface Described {
  /** What isolates run: the source, for TypeScript without its types. Undefined together with `info` where there are errors. */
  code: string | undefined;
  info: PluginInfo | undefined;
  problems: SourceProblem[];
}

/** What a plugin may use at most, where an administrator says so. */
export interface PluginBudget {
  callsPerMinute: number | null;
  /** Without the time that people take to answer. */
  secondsPerCall: number | null;
  /** Addresses, headers and bodies of its requests. */
  bytesOutPerMinute: number | null;
}

/** What a plugin's isolates did since it was told last. */
export interface PluginTraffic {
  hosts: HostTraffic[];
  /** Largest memory of an isolate, in bytes; 0 where it is not measured. */
  memory: number;
}

export interface HostTraffic {
  /** With its port where it is not the usual one. */
  host: string;
  isRefused: boolean;
  requests: number;
  bytesOut: number;
  bytesIn: number;
}

/** One version of a plugin, with the parts of its isolate. */
export interface PluginCode {
  /** `function/<id>` or `tool/<id>`: plugins never wait for each other. */
  plugin: string;
  /** Plugins with the same one may share a process on one machine, each with isolates of its own; without, it shares none. */
  wall?: string;
  /** Names exactly this code with these valves, hosts and packages: an isolate is kept warm for each. */
  fingerprint: string;
  language: PluginLanguage;
  /** Hosts that may be fetched from: `host`, `host:port` or `*.host`; empty: no network. */
  hosts: readonly string[];
  /** Null: none of its own. */
  budget?: PluginBudget | null;
  /** Told at the end of calls. */
  onTraffic?: (traffic: PluginTraffic) => void;
  /** Address of the native runner that it runs on; none: the sandbox. */
  runner?: string | null;
  /** Asked for only where no isolate is warm. */
  load(): Promise<{ code: string; valves: Record<string, unknown>; packages: PluginPackage[] }>;
}

/** What a running plugin may request; each request is checked against the caller's own permissions. */
export interface PluginCapabilities {
  /** `__event_emitter__`: resolves when the event is stored and sent. @throws AppError for an event that is none */
  emit(event: unknown): Promise<void>;
  /** `__event_call__`: resolves with the person's answer. @throws AppError where there is none in time */
  call(event: unknown): Promise<unknown>;
  /** Everything else, by name: see `src/chat/functions/capabilities.ts`. JSON in, JSON out. */
  request(name: string, args: Record<string, unknown>): Promise<unknown>;
}

export interface PluginCall {
  /** A hook, or a tool's name. */
  method: string;
  /** By the names of the parameters: `{body}`, `{event}`, or a tool's arguments. */
  args: Record<string, unknown>;
  /** Reserved parameters (`__user__`, `__metadata__` and so on), passed only where the signature asks. Helpers such as `__event_emitter__` are made in the isolate out of `capabilities`. */
  reserved: Record<string, unknown>;
  capabilities: PluginCapabilities;
  /** Ends the call; what the plugin does then leads nowhere. */
  signal: AbortSignal;
  /** How long it may take, without the time that people take to answer; milliseconds. */
  timeoutMs: number;
  /** Called for each value of a generator, in order; the plugin waits for it. Without it a generator's values come back as a list. */
  onChunk?: ((value: unknown) => void | Promise<void>) | undefined;
  /** Tasks that the function leaves running may go on; without it they get half a second before the answer. */
  afterwards?: PluginAfterwards | undefined;
}

/** What a Python function's tasks and threads may do when it has answered. */
export interface PluginAfterwards {
  /** At most so long, and no longer than what the call has left of its own time; ms. */
  limitMs: number;
  /** Asked every few seconds, and before each request and event. @throws AppError where it may not go on: it ends then */
  check(): Promise<void>;
  /** Called once, before the answer, where there are some. */
  begun?(): void;
  /** Called once, when they have ended; not at all where there were none. */
  ended(rest: { durationMs: number; logs: PluginLog[] }): void;
}

export interface PluginLog {
  level: "debug" | "info" | "warning" | "error";
  text: string;
}

/**
 * `threw`: the plugin's own failure, with its own `message`; `timeout`: it took too long; `stopped`: it looped or used
 * too much memory, and its process was ended; `paused`: that happened repeatedly, and it is not started for a while;
 * `output`: its output was too large; `budget`: an administrator's budget is used up; `aborted`: the caller cancelled; `missing`: it has no such function;
 * `unavailable`: the host cannot be reached.
 */
export type PluginFailureCode =
  | "threw"
  | "timeout"
  | "stopped"
  | "paused"
  | "output"
  | "budget"
  | "aborted"
  | "missing"
  | "unavailable";

export interface PluginFailure {
  code: PluginFailureCode;
  /** For people. */
  message: string;
  /** Of `threw`: the exception's class, and where in the source. */
  name?: string;
  line?: number;
  /** Of `threw`: the status of an HTTPException (Python), or `status` of an error (JavaScript). */
  status?: number;
  /** Of `threw`: the package that would help where one is missing, as registries name it. */
  package?: string;
  /** Of `paused`: seconds. */
  retryAfter?: number;
}

/** Never thrown: failures of plugins are values. `streamed`: the value came in chunks. */
export type PluginResult =
  | { ok: true; value: unknown; streamed: boolean; logs: PluginLog[] }
  | { ok: false; error: PluginFailure; logs: PluginLog[] };

/** A session with one plugin's warm isolate, for any number of calls, also in parallel. */
export interface PluginSession {
  call(call: PluginCall): Promise<PluginResult>;
  /** Ends what is still called. What goes on after answers ends by itself. */
  close(): void;
}

export interface PluginHost {
  /** @param packages those that the plugin's organization has; `requirements:` are looked for among them */
  /** @param runner address of the native runner that it would run on; none: the sandbox */
  describe(source: string, packages: PluginPackage[], runner?: string | null): Promise<Described>;
  open(code: PluginCode): PluginSession;
}
