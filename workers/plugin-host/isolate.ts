import type { PluginInfo, PluginLog, SourceProblem } from "../../src/plugins/plugin-host.ts";

/**
 * The interface between host and isolate. Values cross as JSON texts, never as objects: changes that a plugin makes to
 * the globals of its isolate cannot reach the host, and values are not copied twice. The main module of every isolate
 * exports by default a WorkerEntrypoint with these functions. The first two never throw.
 */
export interface Isolate {
  /**
   * Loads the source and creates an instance.
   * @returns JSON of IsolateDescription
   */
  describe(): Promise<string>;
  /** @param call JSON of IsolateCall. @returns JSON of IsolateResult */
  call(call: string, bridge: IsolateBridge): Promise<string>;
  /** Ends the isolate, and so gives no answer. Only those of Python have it: the others are small. */
  end(): Promise<void>;
}

/** The description from inside the isolate; `info` is missing if a problem is an error. */
export interface IsolateDescription {
  info?: PluginInfo;
  problems: SourceProblem[];
}

export interface IsolateCall {
  /** A hook, or a tool's name. */
  method: string;
  /** By the names of the parameters. */
  args: Record<string, unknown>;
  /** Reserved parameters, passed only where the signature asks. */
  reserved: Record<string, unknown>;
  /** Whether the values of a generator go to `bridge.chunk`; otherwise they come back as a list. */
  wantsChunks: boolean;
}

/** `line` is in the plugin's own source. `status` is that of an HTTPException, or an error's `status` in JavaScript. */
export interface IsolateFailure {
  code: "threw" | "missing" | "output";
  name: string;
  message: string;
  line?: number;
  status?: number;
  /** The package that would help where one is missing, as registries name it. */
  package?: string;
}

export type IsolateResult = { ok: true; value: unknown; streamed: boolean } | { ok: false; error: IsolateFailure };

/**
 * What a call may request: an RpcTarget of the host that lives as long as the call. Errors are exceptions with a
 * message for the plugin.
 */
export interface IsolateBridge {
  /** @param event JSON */
  emit(event: string): Promise<void>;
  /** @param event JSON. @returns JSON of the person's answer */
  call(event: string): Promise<string>;
  /** @param args JSON of an object. @returns JSON */
  request(name: string, args: string): Promise<string>;
  /**
   * Resolves when the next one may be sent.
   * @param value JSON
   */
  chunk(value: string): Promise<void>;
  /**
   * The function has answered, and has left something running.
   * @param result JSON of IsolateResult
   * @returns JSON of how many ms that may go on. 0: not at all, and then the call still has to return its result
   */
  rest?(result: string): Promise<string>;
  /** Resolves when the call is no longer awaited: it was stopped, timed out, or finished. */
  over(): Promise<void>;
  /** The memory of the isolate as it is now, in bytes. Said before the result. */
  memory?(bytes: number): Promise<void>;
  /** Nobody needs to wait for it. */
  log(level: PluginLog["level"], text: string): Promise<void>;
}

/**
 * Maximum JSON text of one value that leaves an isolate (a result, a chunk, the list of a generator's values), in
 * characters.
 */
export const outputLimit = 16_000_000;

/**
 * Maximum number of values (entries of lists and objects, and these themselves) of such a text: each costs the reader
 * time.
 */
export const valueLimit = 250_000;

/** Maximum lines that one call may print: one more than are stored, so that truncation is visible. */
export const logLimit = 1001;
