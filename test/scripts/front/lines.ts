import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import type { Times } from "../../../scripts/launch/front/caller.ts";
import { type FrontOptions, readFrontOptions } from "../../../scripts/launch/front/front-options.ts";
import { startFront } from "../../../scripts/launch/front/front.ts";

const open: { close(): unknown }[] = [];

export function closeAll(): void {
  for (const each of open.splice(0)) each.close();
}

/** One end of a connection, with everything that has come. */
export class Line {
  text = "";
  /** How it ended: `end`, or the code of the error. */
  readonly ended: Promise<string>;
  readonly socket: Socket;

  constructor(socket: Socket) {
    this.socket = socket;
    let code = "end";
    socket.on("data", (bytes) => (this.text += bytes.toString("latin1")));
    socket.on("error", (error: NodeJS.ErrnoException) => (code = error.code ?? "error"));
    this.ended = new Promise((resolve) => {
      socket.once("end", () => resolve(code));
      socket.once("close", () => resolve(code));
    });
    open.push({ close: () => socket.destroy() });
  }

  /** Everything, as soon as it has this. */
  async until(pattern: RegExp): Promise<string> {
    while (!pattern.test(this.text)) {
      const more = await Promise.race([once(this.socket, "data"), this.ended]);
      if (typeof more === "string" && !pattern.test(this.text))
        throw new Error(`ended (${more}) without ${pattern}: ${this.text}`);
    }
    return this.text;
  }
}

/** A front with a runtime behind it that does only what the test says. */
export class Stage {
  /** The connections that the front has opened. */
  readonly inner: Line[] = [];
  readonly #runtime: Server;
  readonly #port: number;

  private constructor(runtime: Server, port: number) {
    this.#runtime = runtime;
    this.#port = port;
    runtime.on("connection", (socket) => this.inner.push(new Line(socket)));
  }

  static async open(
    env: Record<string, string> = {},
    times: Partial<Times> = {},
    more: Partial<FrontOptions> = {},
  ): Promise<Stage> {
    const runtime = createServer({ allowHalfOpen: true }).listen(0, "127.0.0.1");
    await once(runtime, "listening");
    const probe = createServer().listen(0, "127.0.0.1");
    await once(probe, "listening");
    const { port } = probe.address() as AddressInfo;
    await new Promise((resolve) => probe.close(resolve));
    const stage = new Stage(runtime, port);
    const options = { ...readFrontOptions(env, "127.0.0.1"), ...more };
    const address = { host: "127.0.0.1", port: (runtime.address() as AddressInfo).port };
    open.push(runtime, await startFront({ host: "127.0.0.1", port }, address, options, times));
    return stage;
  }

  async call(bytes = ""): Promise<Line> {
    const socket = connect({ port: this.#port, host: "127.0.0.1", allowHalfOpen: true });
    await once(socket, "connect");
    const line = new Line(socket);
    socket.write(bytes, "latin1");
    return line;
  }

  /** The connection that was opened as this one, from 0. */
  async opened(number: number): Promise<Line> {
    while (this.inner.length <= number) await once(this.#runtime, "connection");
    return this.inner[number]!;
  }
}

export function request(first = "GET / HTTP/1.1", headers: readonly string[] = []): string {
  return [first, "Host: localhost", ...headers, "", ""].join("\r\n");
}

export const answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
