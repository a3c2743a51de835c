import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import path from "node:path";
import { createClient } from "@libsql/client";
import { createDatabase } from "../../src/db/client.ts";
import { newId } from "../../src/lib/id.ts";
import { parseKeyRing } from "../../src/lib/key-ring.ts";
import { sessions } from "../../src/people/auth/sessions/tables.ts";
import { createTokenSigner } from "../../src/people/auth/tokens.ts";
import { users } from "../../src/people/users/tables.ts";
import type { ServerFrame } from "../../src/shared/live-protocol.ts";
import type { Parley } from "./start-parley.ts";

/** Many people with many tabs at a started service, over real sockets. */
export interface Crowd {
  people: CrowdPerson[];
  /** Sends an event that is only shown to one person's chat; resolves when the service has taken it. */
  notify(person: CrowdPerson, content: string): Promise<void>;
  /** The same with one that is stored. */
  report(person: CrowdPerson, content: string): Promise<void>;
  /** The same with one that has so many characters. */
  rewrite(person: CrowdPerson, length: number): Promise<void>;
  close(): void;
}

export interface CrowdPerson {
  token: string;
  chatId: string;
  tabs: CrowdTab[];
}

/** What a tab has heard of one event, and when; milliseconds of `performance.now()`. */
export interface Heard {
  content: string;
  at: number;
}

const messageId = "a";

/** A tab that keeps its place in the numbering over reconnects, and notices every gap. */
export class CrowdTab {
  readonly #url: string;
  readonly #token: string;
  #socket: WebSocket | undefined;
  #epoch: string | undefined;
  #seq = 0;
  /** Characters of all frames. */
  length = 0;
  heard: Heard[] = [];
  /** Numbers that were left out or came again. */
  gaps = 0;
  /** Welcomes that did not bring what was missed. */
  reloads = 0;

  constructor(url: string, token: string) {
    this.#url = url.replace(/^http/, "ws");
    this.#token = token;
  }

  /** Resolves when the tab has been welcomed; tries again a few times, as a page does. */
  async connect(): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.connectOnce();
      } catch (error) {
        if (tries === 5) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100 * tries));
      }
    }
  }

  /** @throws Error when it is not welcomed */
  async connectOnce(): Promise<void> {
    const headers = { authorization: `Bearer ${this.#token}` };
    // Node's WebSocket takes headers; browsers send a cookie.
    const socket = new WebSocket(`${this.#url}/api/v1/events`, { headers } as unknown as string[]);
    this.#socket = socket;
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener("open", () => {
        const known = this.#epoch === undefined ? {} : { epoch: this.#epoch, since: this.#seq };
        socket.send(JSON.stringify({ kind: "hello", ...known }));
      });
      socket.addEventListener("message", ({ data }) => {
        // What the closed socket still had is asked for again.
        this.length += (data as string).length;
        if (this.#socket === socket && this.#hear(JSON.parse(data as string) as ServerFrame)) resolve();
      });
      socket.addEventListener("error", (event) =>
        reject(new Error("a socket did not open", { cause: (event as ErrorEvent).error })),
      );
      socket.addEventListener("close", ({ code, reason }) =>
        reject(new Error(`a socket was closed: ${code} ${reason}`)),
      );
    });
  }

  /** What it has seen last. */
  get place(): { epoch: string; since: number } {
    return { epoch: this.#epoch!, since: this.#seq };
  }

  /** The connection breaks, whatever is on its way. */
  drop(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }

  /** @returns whether it was the welcome */
  #hear(frame: ServerFrame): boolean {
    if (frame.kind === "welcome") {
      if (this.#epoch !== undefined && !frame.replayed) this.reloads += 1;
      if (!frame.replayed) this.#seq = frame.seq;
      this.#epoch = frame.epoch;
      return true;
    }
    if (frame.kind !== "event") return false;
    if (frame.seq !== this.#seq + 1) this.gaps += 1;
    this.#seq = frame.seq;
    const { content, description } = (frame.data.data ?? {}) as { content?: string; description?: string };
    if (frame.data.type === "notification" || frame.data.type === "status")
      this.heard.push({ content: content ?? description ?? "", at: performance.now() });
    return false;
  }
}

/**
 * Puts people into the database of the started service, where signing up would hash a password for each, and opens their tabs.
 */
export async function gather(parley: Parley, size: { people: number; tabs: number }): Promise<Crowd> {
  const call = async <T>(token: string, address: string, body: unknown): Promise<T> => {
    const response = await fetch(parley.url + address, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    if (response.status !== 200) throw new Error(`${address} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  const signedIn = await signIn(parley, size.people);
  const people: CrowdPerson[] = [];
  const join = async ({ token }: SignedIn): Promise<void> => {
    const messages = { [messageId]: { id: messageId, role: "assistant", content: "Hello" } };
    const { id } = await call<{ id: string }>(token, "/api/v1/chats/new", {
      chat: { history: { currentId: messageId, messages } },
    });
    const tabs = Array.from({ length: size.tabs }, () => new CrowdTab(parley.url, token));
    await Promise.all(tabs.map((tab) => tab.connect()));
    people.push({ token, chatId: id, tabs });
  };
  await forEach(signedIn, join);
  const send = async ({ token, chatId }: CrowdPerson, event: unknown) => {
    await call(token, `/api/v1/chats/${chatId}/messages/${messageId}/event`, event);
  };
  return {
    people,
    notify: (person, content) => send(person, { type: "notification", data: { content } }),
    report: (person, description) => send(person, { type: "status", data: { description } }),
    rewrite: (person, length) => send(person, { type: "replace", data: { content: "x".repeat(length) } }),
    close: () => people.forEach(({ tabs }) => tabs.forEach((tab) => tab.drop())),
  };
}

/** A tab that says hello and then reads nothing of what it is sent. */
export class DeafTab {
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  static async open({ url }: Parley, token: string): Promise<DeafTab> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    const fields = [
      "GET /api/v1/events HTTP/1.1",
      `Host: ${hostname}:${port}`,
      `Authorization: Bearer ${token}`,
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      `Sec-WebSocket-Key: ${Buffer.alloc(16).toString("base64")}`,
    ];
    socket.write(`${fields.join("\r\n")}\r\n\r\n`);
    const [answer] = (await once(socket, "data")) as [Buffer];
    socket.pause();
    socket.on("error", () => undefined);
    if (!answer.toString().startsWith("HTTP/1.1 101 ")) throw new Error(`no socket: ${answer}`);
    const tab = new DeafTab(socket);
    tab.hello();
    return tab;
  }

  hello(known: { epoch?: string; since?: number } = {}): void {
    const text = Buffer.from(JSON.stringify({ kind: "hello", ...known }));
    // A whole text frame with a mask of zeros (RFC 6455, section 5.2).
    this.#socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text]));
  }

  close(): void {
    this.#socket.resetAndDestroy();
  }
}

/** Does it for all, for a few of them at a time. */
export async function forEach<T>(all: readonly T[], work: (one: T, at: number) => Promise<void>): Promise<void> {
  const left = all.entries();
  const workNext = async () => {
    for (const [at, one] of left) await work(one, at);
  };
  await Promise.all(Array.from({ length: 8 }, workNext));
}

/** A person who was put into the database, with a session. */
export interface SignedIn {
  id: string;
  token: string;
}

/** The database of the started service, over its own door, and what signs its tokens. */
export function openDatabase(parley: Parley) {
  const secrets = JSON.parse(readFileSync(path.join(parley.dataDir, "secrets.json"), "utf8")) as Record<string, string>;
  const database = parley.processes().find(({ command }) => command.includes("--http-listen-addr"))!;
  const address = /--http-listen-addr[= ](\S+)/.exec(database.command)![1]!;
  return {
    db: createDatabase(createClient({ url: `http://${address}`, authToken: secrets["DB_AUTH_TOKEN"]! })),
    signer: createTokenSigner(parseKeyRing(secrets["PARLEY_SECRET_KEYS"]!)),
  };
}

/** @returns so many new people, who are signed in */
export async function signIn(parley: Parley, count: number): Promise<SignedIn[]> {
  const { db, signer } = openDatabase(parley);
  const now = Math.floor(Date.now() / 1000);
  const people = Array.from({ length: count }, () => ({ id: newId(), jti: newId() }));
  // Some at a time: statements have a limit of values.
  for (let at = 0; at < people.length; at += 500) {
    const some = people.slice(at, at + 500);
    await db.batch([
      db.insert(users).values(
        some.map(({ id }) => ({
          id,
          email: `${id}@harbour.example`,
          name: "Crowd",
          role: "user" as const,
          active: true,
          organizationId: "00000000-0000-7000-8000-000000000001",
          lastActiveAt: now,
          createdAt: now,
          updatedAt: now,
        })),
      ),
      db
        .insert(sessions)
        .values(some.map(({ id, jti }) => ({ id: jti, userId: id, createdAt: now, lastUsedAt: now, expiresAt: null }))),
    ]);
  }
  return Promise.all(
    people.map(async ({ id, jti }) => ({ id, token: await signer.sign({ id, jti, iat: now }, null) })),
  );
}

/** Resolves when it is so. @throws Error with what is still wrong after a while */
export async function eventually(check: () => string | undefined, milliseconds = 20_000): Promise<void> {
  const end = performance.now() + milliseconds;
  for (let wrong = check(); wrong !== undefined; wrong = check()) {
    if (performance.now() > end) throw new Error(wrong);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
