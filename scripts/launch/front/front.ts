import { createServer, type Socket } from "node:net";
import { newId } from "../../../src/lib/id.ts";
import { explainListenError } from "../ports.ts";
import { canonicalAddress } from "./addresses.ts";
import { Caller, type Times } from "./caller.ts";
import { ConnectionCount } from "./connection-count.ts";
import type { FrontOptions } from "./front-options.ts";
import { type Refusal, renderRefusal } from "./refusal.ts";

export interface Address {
  host: string;
  port: number;
}

export interface Front {
  /** How many callers there are. */
  readonly connections: number;
  /** Takes no more callers; those there are stay. */
  stopListening(): void;
  /** Takes no more callers and lets go of those there are. */
  close(): void;
}

/** nginx lets heads, bodies and readers take as long. */
const usualTimes: Times = { headMs: 30_000, bodyMs: 30_000, stallMs: 60_000, connectMs: 10_000, lingerMs: 2_000 };
/** When connections are full: how many more may say whether they ask for the health, and how many may ask at a time. */
export const maxReserve = 64;
/** Refused callers who are still given time to read why. */
const maxLeaving = 64;

/**
 * The public socket. workerd notices a caller who has gone only when a write fails, so a provider would go on working for
 * nobody until its first byte; a reset it notices at once. So this passes bytes on and turns the end of a caller's side
 * into a reset, as reverse proxies do, and also resets a caller who does not read. It also keeps the address while the
 * runtime restarts. It reads the heads of requests: it refuses what is ambiguous or for another host, and tells the
 * service the caller's address, which it alone knows. Costs about 35 us a request.
 */
export function startFront(
  publicAddress: Address,
  runtime: Address,
  options: FrontOptions,
  times: Partial<Times> = {},
): Promise<Front> {
  const sockets = new Set<Socket>();
  const count = new ConnectionCount(options);
  const waiting = new Set<Caller>();
  const leaving = new Set<Socket>();
  const allTimes = { ...usualTimes, ...times };
  let probes = 0;

  /** Says why, and reads on for a while: a closed socket with unread bytes would be reset before the caller has read it. */
  function leave(socket: Socket, refusal: Refusal, target?: string): void {
    leaving.add(socket);
    const timer = setTimeout(() => socket.destroy(), allTimes.lingerMs);
    socket.once("close", () => {
      clearTimeout(timer);
      leaving.delete(socket);
    });
    socket.on("data", () => undefined);
    socket.resume();
    const requestId = newId();
    options.noteRefusal?.(refusal, canonicalAddress(socket.remoteAddress ?? ""), requestId);
    socket.end(renderRefusal(refusal, target, requestId));
    if (leaving.size > maxLeaving) [...leaving][0]!.destroy();
  }

  function welcome(socket: Socket): void {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    // Its errors end in `close`, which is looked at where it matters.
    socket.on("error", () => undefined);
    const peer = canonicalAddress(socket.remoteAddress ?? "");
    // It has gone already.
    if (peer === undefined) return void socket.destroy();
    const holder = options.isShared(peer) ? undefined : peer;
    const refusal = count.refusal(holder);
    if (refusal?.status === 429) return leave(socket, refusal);

    const caller: Caller = new Caller(socket, peer, runtime, options, allTimes, {
      leave(why, target) {
        waiting.delete(caller);
        leave(socket, why, target);
      },
      enter() {
        const why = count.refusal(holder);
        if (why === undefined) {
          waiting.delete(caller);
          socket.once("close", count.take(holder));
        }
        return why;
      },
      enterForHealth() {
        if (probes >= maxReserve) return false;
        waiting.delete(caller);
        probes++;
        socket.once("close", () => probes--);
        return true;
      },
    });
    if (refusal === undefined) return caller.enter();
    waiting.add(caller);
    socket.once("close", () => waiting.delete(caller));
    // Those who say nothing must not keep out those who do.
    if (waiting.size > maxReserve) {
      const [oldest] = waiting;
      waiting.delete(oldest!);
      oldest!.refuse(refusal);
    }
  }

  const server = createServer({ noDelay: true, allowHalfOpen: true }, welcome);
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(explainListenError(error, publicAddress.host, publicAddress.port));
    server.once("error", fail);
    server.listen(publicAddress.port, publicAddress.host, () => {
      server.off("error", fail);
      resolve({
        get connections() {
          return count.all;
        },
        stopListening() {
          server.close();
        },
        close() {
          server.close();
          for (const socket of sockets) socket.destroy();
        },
      });
    });
  });
}
