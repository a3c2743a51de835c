import { countValues } from "../../src/lib/json-depth.ts";
import type { PluginFailureCode } from "../../src/plugins/plugin-host.ts";
import { CallAsks, CallBridge, type RestingCalls } from "./call-bridge.ts";
import { describeSource } from "./describe-source.ts";
import type { HostEnv } from "./env.ts";
import { maxFrameBytes, type FrameToHost, type FrameToService } from "./frames.ts";
import { type Isolate, valueLimit } from "./isolate.ts";
import { paceOf } from "./pace.ts";
import { PackageInbox } from "./package-inbox.ts";
import { restingCalls, runningCalls } from "./running-calls.ts";
import { meterOf } from "./traffic-meter.ts";
import { loaderName, WarmIsolates } from "./warm-isolates.ts";
import { type Network, workerCode } from "./worker-code.ts";

type Opened = Extract<FrameToHost, { t: "open" }>;
type Code = Extract<FrameToHost, { t: "code" }>;

/** Calls of one isolate that have answered and go on; of further ones, what they leave running ends with the answer. */
const maxResting = 20;

/** Those of this process. */
export const warmIsolates = new WarmIsolates();

/** Ends isolates that nobody uses. @param waitUntil of the request that ends them */
export function endIsolate({ LOADER }: Pick<HostEnv, "LOADER">, waitUntil: (work: Promise<unknown>) => void) {
  return (name: string): void => {
    const gone = () => Promise.reject(new Error("It has ended already"));
    const isolate = LOADER.get(name, gone).getEntrypoint() as unknown as Isolate;
    // An isolate that ends itself gives no answer.
    waitUntil(isolate.end().catch(() => undefined));
  };
}

/** One socket of the service: the calls of one plugin in one version, or the description of one source. */
export class HostSession {
  readonly #env: HostEnv;
  readonly #socket: WebSocket;
  readonly #network: Network;
  readonly #waitUntil: (work: Promise<unknown>) => void;
  readonly #calls = new Map<number, CallAsks>();
  readonly #packages: PackageInbox;
  #opened: Opened | undefined;
  #leave: (() => void) | undefined;
  #code: Promise<Code> | undefined;
  #incoming: { resolve(code: Code): void; reject(error: Error): void } | undefined;

  /** @param waitUntil lets started work continue after the socket has ended, because others may share it */
  constructor(env: HostEnv, socket: WebSocket, network: Network, waitUntil: (work: Promise<unknown>) => void) {
    this.#waitUntil = waitUntil;
    this.#env = env;
    this.#socket = socket;
    this.#network = network;
    this.#packages = new PackageInbox((sha256) => this.#send({ t: "need-bytes", sha256 }));
  }

  /** Takes what comes until the socket ends. */
  listen(): void {
    const socket = this.#socket;
    socket.binaryType = "arraybuffer";
    socket.accept();
    socket.addEventListener("message", ({ data }) => {
      if (typeof data === "string") this.#take(JSON.parse(data) as FrameToHost);
      else this.#packages.take(new Uint8Array(data as ArrayBuffer));
    });
    socket.addEventListener("close", () => this.#close());
    socket.addEventListener("error", () => this.#close());
  }

  #take(frame: FrameToHost): void {
    switch (frame.t) {
      case "open":
        this.#opened = frame;
        meterOf(frame.plugin).budget = frame.budget ?? null;
        this.#leave ??= warmIsolates.enter(isolateName(frame), frame.language === "python");
        return;
      case "describe":
        void this.#describe(frame);
        return;
      case "code":
        this.#incoming?.resolve(frame);
        return;
      case "no-code":
        this.#code = undefined;
        this.#incoming?.reject(new LoadError(frame.message));
        return;
      case "no-bytes":
        this.#packages.refuse(frame.sha256, frame.message);
        return;
      case "call":
        void this.#call(frame.id, frame.json);
        return;
      case "end":
        this.#calls.get(frame.id)?.end();
        this.#forget(frame.id);
        return;
      case "answer":
        this.#calls.get(frame.id)?.answer(frame.ref, frame.json);
        return;
      case "refusal":
        this.#calls.get(frame.id)?.answer(frame.ref, "null", frame.message);
    }
  }

  async #call(id: number, json: string): Promise<void> {
    const plugin = this.#opened?.plugin ?? "";
    const meter = meterOf(plugin);
    const asks = new CallAsks(
      id,
      paceOf(plugin),
      (frame) => this.#send(frame),
      (bytes) => meter.noteMemory(bytes),
      restingCallsOf(this.#isolateName()),
    );
    this.#calls.set(id, asks);
    runningCalls.begin(this.#isolateName());
    const refusal = meter.beginCall(Date.now());
    if (refusal !== undefined) return this.#refuse(id, refusal);
    try {
      const isolate = await this.#isolate();
      this.#send({ t: "begun", id });
      this.#reply(id, await isolate.call(json, new CallBridge(asks)));
    } catch (error) {
      this.#reply(id, undefined, error);
    }
  }

  /** The call is over for the service: what it left open ends. */
  #forget(id: number): void {
    if (this.#calls.delete(id)) runningCalls.end(this.#isolateName());
  }

  #isolateName(): string {
    return this.#opened ? isolateName(this.#opened) : "";
  }

  #refuse(id: number, message: string): void {
    this.#forget(id);
    this.#send({ t: "failed", id, code: "budget", message });
  }

  /** Nothing is said of a call that its caller has let go. */
  #reply(id: number, result: unknown, error?: unknown): void {
    const traffic = this.#opened && meterOf(this.#opened.plugin).take();
    if (traffic) this.#send({ t: "traffic", traffic });
    const asks = this.#calls.get(id);
    if (!asks) return;
    asks.end();
    this.#forget(id);
    try {
      if (typeof result !== "string")
        this.#send({ t: "failed", id, ...explain(error ?? new Error("The plugin's answer could not be read")) });
      else if (countValues(result, valueLimit) > valueLimit)
        this.#send({ t: "failed", id, code: "output", message: "It returned too many values" });
      else this.#send({ t: "result", id, json: result });
    } catch (tooLong) {
      this.#send({ t: "failed", id, code: "output", message: (tooLong as Error).message });
    }
  }

  /** A stub of its own for each call: the isolate behind it is the same as long as it is warm. */
  async #isolate(): Promise<Isolate> {
    const opened = this.#opened;
    if (!opened) throw new LoadError("The session is not open");
    const name = isolateName(opened);
    // What is asked for inside of the loader's callback would be lost to all who wait when this session ends, and its failure
    // would be kept. So that only happens where an isolate that was warm has gone.
    const code = warmIsolates.isMade(name) ? undefined : await this.#makeCode(opened);
    if (!warmIsolates.isMade(name) && opened.language === "python" && this.#env.WARM_ISOLATES !== undefined)
      warmIsolates.makeRoom(Number(this.#env.WARM_ISOLATES), endIsolate(this.#env, this.#waitUntil));
    const generation = warmIsolates.generationOf(name);
    const stub = this.#env.LOADER.get(loaderName(name, generation), async () => {
      try {
        return code ?? (await this.#makeCode(opened));
      } catch (error) {
        warmIsolates.lost(name, generation);
        throw error;
      }
    });
    warmIsolates.made(name);
    return stub.getEntrypoint() as unknown as Isolate;
  }

  async #makeCode(opened: Opened): Promise<WorkerLoaderWorkerCode> {
    const { plugin, language, hosts } = opened;
    const { code, valves, packages } = await this.#fetchCode();
    const parts = { code, valves, packages: this.#packages.open(packages) };
    const made = workerCode(this.#env, language, parts, this.#network({ hosts, plugin, isolate: isolateName(opened) }));
    this.#waitUntil(made.catch(() => undefined));
    return made;
  }

  #fetchCode(): Promise<Code> {
    this.#code ??= new Promise((resolve, reject) => {
      this.#incoming = { resolve, reject };
      this.#send({ t: "need" });
    });
    return this.#code;
  }

  async #describe({ source, packages }: Extract<FrameToHost, { t: "describe" }>): Promise<void> {
    const describing = describeSource(this.#env, source, this.#packages.open(packages));
    this.#waitUntil(describing.catch(() => undefined));
    try {
      this.#send({ t: "described", described: await describing });
    } catch (error) {
      const problem = { severity: "error" as const, message: (error as Error).message };
      this.#send({ t: "described", described: { code: undefined, info: undefined, problems: [problem] } });
    }
  }

  /** @throws Error only for a frame that is too long: messages to a closed socket are dropped */
  #send(frame: FrameToService): void {
    const text = JSON.stringify(frame);
    if (text.length * 3 > maxFrameBytes && new TextEncoder().encode(text).length > maxFrameBytes) {
      throw new Error("The data is larger than the limit");
    }
    try {
      this.#socket.send(text);
    } catch {
      this.#close();
    }
  }

  #close(): void {
    this.#leave?.();
    this.#packages.close();
    this.#incoming?.reject(new LoadError("The session has ended"));
    for (const [id, asks] of this.#calls) {
      asks.end();
      this.#forget(id);
    }
  }
}

function restingCallsOf(isolate: string): RestingCalls {
  return {
    begin() {
      if (restingCalls.count(isolate) >= maxResting) return false;
      restingCalls.begin(isolate);
      return true;
    },
    end: () => restingCalls.end(isolate),
  };
}

function isolateName({ plugin, fingerprint }: Opened): string {
  return `${plugin}\n${fingerprint}`;
}

/** The service could not provide what an isolate needs. */
class LoadError extends Error {}

/** What the platform says when it ends an isolate, or cannot make one. */
function explain(error: unknown): { code: PluginFailureCode; message: string } {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof LoadError) return { code: "unavailable", message };
  if (/CPU time limit|exceeded CPU/i.test(message))
    return { code: "stopped", message: "It ran for too long without a pause" };
  if (/memory limit|out of memory/i.test(message)) return { code: "stopped", message: "It used too much memory" };
  if (/limited to \d+ ?MiB/i.test(message)) return { code: "output", message: "Its result is larger than the limit" };
  if (/code had hung/.test(message)) return { code: "threw", message: "It waits for something that can never happen" };
  return { code: "threw", message };
}
