import type {
  PluginCall,
  PluginCode,
  PluginFailure,
  PluginPackage,
  PluginResult,
} from "../../src/plugins/plugin-host.ts";
import { CallDriver } from "./call-driver.ts";
import { closeCodes, cutPackage, factsOf, type FrameToHost, type FrameToService } from "./frames.ts";
import type { IsolateCall } from "./isolate.ts";
import { explainClose, type HostWay, openSocket } from "./open-socket.ts";

/** A call, and the socket that it was sent over. */
interface Sent {
  call: PluginCall;
  driver: CallDriver;
  socket?: WebSocket;
}

type Ask = Extract<FrameToService, { t: "ask" }>;

/** The service's end of a session: opened by its first call, shared by all calls. */
export class PluginSocket {
  readonly #host: HostWay;
  readonly #name: string;
  readonly #code: PluginCode;
  readonly #calls = new Map<number, Sent>();
  #ids = 0;
  #opening: Promise<WebSocket | PluginFailure> | undefined;
  #packages: PluginPackage[] = [];
  #isClosed = false;
  readonly #lost = new WeakSet<WebSocket>();

  /** @param name of the host, as the beginning of a sentence */
  constructor(host: HostWay, name: string, code: PluginCode) {
    this.#host = host;
    this.#name = name;
    this.#code = code;
  }

  async call(call: PluginCall): Promise<PluginResult> {
    const driver = new CallDriver(call);
    if (this.#isClosed) driver.fail({ code: "aborted", message: "The session was closed" });
    if (driver.ended.aborted) return driver.result;
    const id = ++this.#ids;
    const sent: Sent = { call, driver };
    this.#calls.set(id, sent);
    driver.ended.addEventListener("abort", () => {
      if (sent.socket) send(sent.socket, { t: "end", id });
    });
    void driver.closed.then(() => {
      this.#calls.delete(id);
      if (this.#isClosed) this.#closeSocket();
    });
    void this.#begin(id, sent);
    return driver.result;
  }

  /** Ends what is still called. The socket stays for what goes on after answers. */
  close(): void {
    this.#isClosed = true;
    for (const { driver } of this.#calls.values()) {
      if (!driver.isResting) driver.fail({ code: "aborted", message: "The call was cancelled" });
    }
    this.#closeSocket();
  }

  #closeSocket(): void {
    if ([...this.#calls.values()].some(({ driver }) => driver.isResting)) return;
    void this.#opening?.then((socket) => socket instanceof WebSocket && socket.close(1000));
  }

  async #begin(id: number, sent: Sent): Promise<void> {
    const { driver } = sent;
    const socket = await this.#open();
    if (driver.ended.aborted) return;
    if (!(socket instanceof WebSocket)) return driver.fail(socket);
    sent.socket = socket;
    const { method, args, reserved, onChunk } = sent.call;
    const call: IsolateCall = { method, args, reserved, wantsChunks: onChunk !== undefined };
    send(socket, { t: "call", id, json: JSON.stringify(call) });
  }

  /** One that was lost is opened again by the next call. */
  #open(): Promise<WebSocket | PluginFailure> {
    this.#opening ??= this.#connect();
    return this.#opening;
  }

  async #connect(): Promise<WebSocket | PluginFailure> {
    const { plugin, fingerprint, language, hosts, wall, budget = null } = this.#code;
    const socket = await openSocket(this.#host, this.#name, plugin, fingerprint, wall);
    if (!(socket instanceof WebSocket)) {
      this.#opening = undefined;
      return socket;
    }
    socket.addEventListener("message", ({ data }) => {
      if (typeof data === "string") this.#take(socket, JSON.parse(data) as FrameToService);
    });
    socket.addEventListener("close", (event) => this.#lose(socket, event));
    socket.addEventListener("error", () => this.#lose(socket, { code: 1006, reason: "" }));
    if (this.#isClosed) socket.close(1000);
    else send(socket, { t: "open", plugin, fingerprint, language, hosts, budget });
    return socket;
  }

  /** Calls that a neighbour's end took with it are made again, where that does nothing twice. */
  #lose(socket: WebSocket, close: { code: number; reason: string }): void {
    if (this.#lost.has(socket)) return;
    this.#lost.add(socket);
    this.#opening = undefined;
    for (const [id, sent] of this.#calls) {
      if (sent.socket !== undefined && sent.socket !== socket) continue;
      const canRepeat = close.code === closeCodes.shared && sent.driver.canRepeat(this.#code.hosts.length > 0);
      delete sent.socket;
      if (canRepeat) void this.#begin(id, sent);
      else sent.driver.fail(explainClose(close));
    }
  }

  #take(socket: WebSocket, frame: FrameToService): void {
    switch (frame.t) {
      case "need":
        void this.#sendCode(socket);
        return;
      case "need-bytes":
        void sendPackage(socket, this.#packages, frame.sha256);
        return;
      case "ask":
        void this.#answer(socket, frame);
        return;
      case "begun":
        this.#calls.get(frame.id)?.driver.begin();
        return;
      case "log":
        void this.#calls.get(frame.id)?.driver.log(frame.level, frame.text);
        return;
      case "traffic":
        this.#code.onTraffic?.(frame.traffic);
        return;
      case "result":
        void this.#calls.get(frame.id)?.driver.finish(frame.json);
        return;
      case "failed":
        this.#calls.get(frame.id)?.driver.fail({ code: frame.code, message: frame.message });
        return;
      case "described":
    }
  }

  async #sendCode(socket: WebSocket): Promise<void> {
    try {
      const { code, valves, packages } = await this.#code.load();
      this.#packages = packages;
      send(socket, { t: "code", code, valves, packages: factsOf(packages) });
    } catch (error) {
      send(socket, { t: "no-code", message: (error as Error).message });
    }
  }

  async #answer(socket: WebSocket, ask: Ask): Promise<void> {
    const { id, ref, kind, json } = ask;
    try {
      const driver = this.#calls.get(id)?.driver;
      if (!driver) throw new Error("The call has ended");
      const answer = kind === "request" ? await driver.request(ask.name, json) : await driver[kind](json);
      send(socket, { t: "answer", id, ref, json: answer ?? "null" });
    } catch (error) {
      send(socket, { t: "refusal", id, ref, message: (error as Error).message });
    }
  }
}

/** Sends a package in pieces, or the reason why it cannot. */
export async function sendPackage(
  socket: WebSocket,
  packages: readonly PluginPackage[],
  sha256: string,
): Promise<void> {
  try {
    const wanted = packages.find((each) => each.sha256 === sha256);
    if (!wanted) throw new Error("No such package");
    for (const piece of cutPackage(sha256, await wanted.bytes())) socket.send(piece);
  } catch (error) {
    send(socket, { t: "no-bytes", sha256, message: (error as Error).message });
  }
}

/** Sends, ignoring a closed socket, which reports its own event. */
export function send(socket: WebSocket, frame: FrameToHost): void {
  try {
    socket.send(JSON.stringify(frame));
  } catch {
    // Closed meanwhile: anyone who waits hears of it by the close event.
  }
}
