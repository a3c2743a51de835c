import { createServer, connect, type Socket } from "node:net";
import { explainListenError } from "./ports.ts";

/** How long a new connection waits for a runtime that is just being restarted, in milliseconds. */
const connectTimeoutMs = 10_000;
const pauseMs = 50;
/** How long a caller may take nothing of what waits, in milliseconds; nginx waits as long. Without it, those who never read keep memory for ever. */
const maxStallMs = 60_000;

interface Address {
  host: string;
  port: number;
}

export interface Front {
  /** Takes no more callers and lets go of those there are. */
  close(): void;
}

/**
 * The public socket. workerd notices a caller who has gone only when a write fails, so a provider would go on working for
 * nobody until its first byte; a reset it notices at once. So this passes bytes on and turns the end of a caller's side
 * into a reset, as reverse proxies do, and also resets a caller who does not read. It also keeps the address while the
 * runtime restarts. Costs about 25 us a request.
 */
export function startFront(publicAddress: Address, runtime: Address, stallMs = maxStallMs): Promise<Front> {
  const callers = new Set<Socket>();
  const server = createServer({ noDelay: true, allowHalfOpen: true, pauseOnConnect: true }, (caller) => {
    callers.add(caller);
    caller.on("close", () => callers.delete(caller));
    // Its errors end in `close`, which is looked at below.
    caller.on("error", () => undefined);
    join(caller, runtime, performance.now() + connectTimeoutMs, stallMs);
  });
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(explainListenError(error, publicAddress.host, publicAddress.port));
    server.once("error", fail);
    server.listen(publicAddress.port, publicAddress.host, () => {
      server.off("error", fail);
      resolve({
        close() {
          server.close();
          for (const caller of callers) caller.destroy();
        },
      });
    });
  });
}

function join(caller: Socket, runtime: Address, until: number, stallMs: number): void {
  const inner = connect({ ...runtime, noDelay: true });
  const giveUp = () => inner.destroy();
  caller.once("close", giveUp);
  inner.once("connect", () => {
    caller.off("close", giveUp);
    inner.off("error", retry);
    couple(caller, inner, stallMs);
  });
  inner.once("error", retry);

  function retry(): void {
    caller.off("close", giveUp);
    if (caller.destroyed) return;
    if (performance.now() > until) caller.resetAndDestroy();
    else setTimeout(() => (caller.destroyed ? undefined : join(caller, runtime, until, stallMs)), pauseMs);
  }
}

function couple(caller: Socket, inner: Socket, stallMs: number): void {
  pass(caller, inner);
  pass(inner, caller, stallMs);
  const gone = () => inner.resetAndDestroy();
  caller.on("end", gone);
  caller.on("close", gone);
  inner.on("end", () => caller.end());
  inner.on("error", () => caller.resetAndDestroy());
  inner.on("close", () => caller.destroySoon());
  caller.resume();
}

/** By hand rather than by `pipe`: an ended side must not end the other one on its own terms. */
function pass(from: Socket, to: Socket, stallMs?: number): void {
  let stalled: ReturnType<typeof setTimeout> | undefined;
  from.on("data", (bytes) => {
    if (to.write(bytes)) return;
    from.pause();
    if (stallMs !== undefined) stalled = setTimeout(() => to.resetAndDestroy(), stallMs);
    to.once("drain", () => {
      clearTimeout(stalled);
      from.resume();
    });
  });
  to.once("close", () => clearTimeout(stalled));
}
