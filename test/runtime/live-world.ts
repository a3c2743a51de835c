import { env, exports } from "cloudflare:workers";
import { inject } from "vitest";
import type { Role } from "../../src/access.ts";
import type { ChatResponse, WireMessage } from "../../src/chat/conversations/schema.ts";
import { newId } from "../../src/lib/id.ts";
import { connections } from "../../src/models/connections/tables.ts";
import { sessions } from "../../src/people/auth/sessions/tables.ts";
import { users } from "../../src/people/users/tables.ts";
import type { ServerFrame } from "../../src/shared/live-protocol.ts";
import type { Env } from "../../workers/env.ts";
import { servicesOf } from "../../workers/services.ts";

const bindings = env as unknown as Env;
const service = (exports as unknown as { default: Fetcher }).default;
const origin = "http://parley.test";

export const services = servicesOf(bindings, () => undefined);

export interface LivePerson {
  id: string;
  sessionId: string;
  token: string;
  coordinator: ReturnType<Env["SESSION_COORDINATOR"]["getByName"]>;
  call<T>(path: string, json?: unknown, method?: string): Promise<{ status: number; body: T }>;
  /** A request without any credential of its own. */
  fetch(path: string, init: RequestInit): Promise<Response>;
  /** Opens a tab: a socket that keeps all of its frames. */
  open(bearer?: string): Promise<Tab>;
  chat(id: string): Promise<ChatResponse>;
  /** Asks for a stream over plain HTTP; the question is the name of the scripted answer. */
  stream(question: string, token?: string): Promise<TextStream>;
  /** Resolves with the message when it is as wanted. */
  message(chatId: string, id: string, isWanted: (message: WireMessage) => boolean): Promise<WireMessage>;
}

export async function createPerson(role: Role = "user"): Promise<LivePerson> {
  const [id, sessionId, now] = [newId(), newId(), services.now()];
  await services.db.batch([
    services.db.insert(users).values({
      id,
      email: `${id}@harbour.example`,
      name: "Ada",
      role,
      active: true,
      organizationId: "00000000-0000-7000-8000-000000000001",
      lastActiveAt: now,
      createdAt: now,
      updatedAt: now,
    }),
    services.db
      .insert(sessions)
      .values({ id: sessionId, userId: id, createdAt: now, lastUsedAt: now, expiresAt: null }),
    services.db
      .insert(connections)
      .values({
        id: "scripted",
        kind: "openai",
        name: "Scripted",
        baseUrl: `${inject("upstreamUrl")}/v1`,
        modelIds: [],
        tags: [],
        createdAt: now,
        updatedAt: now,
      })
      .onConflictDoNothing(),
  ]);
  const token = await services.tokens.sign({ id, jti: sessionId, iat: now }, null);
  const headers = { authorization: `Bearer ${token}` };
  const call: LivePerson["call"] = async <T>(
    path: string,
    json?: unknown,
    method = json === undefined ? "GET" : "POST",
  ) => {
    const body = json === undefined ? {} : { body: JSON.stringify(json) };
    const response = await service.fetch(
      new Request(origin + path, { method, headers: { ...headers, "content-type": "application/json" }, ...body }),
    );
    const text = await response.text();
    return { status: response.status, body: (text === "" ? undefined : JSON.parse(text)) as T };
  };
  const chat = async (chatId: string) => (await call<ChatResponse>(`/api/v1/chats/${chatId}`)).body;
  return {
    id,
    sessionId,
    token,
    coordinator: bindings.SESSION_COORDINATOR.getByName(id),
    call,
    fetch: (path, init) => service.fetch(origin + path, init),
    chat,
    async open(bearer = token) {
      const response = await service.fetch(
        new Request(`${origin}/api/v1/events`, {
          headers: { authorization: `Bearer ${bearer}`, upgrade: "websocket" },
        }),
      );
      if (response.status !== 101) throw new Error(`no socket: ${response.status} ${await response.text()}`);
      return createTab(response.webSocket!);
    },
    async stream(question, bearer = token) {
      const response = await service.fetch(`${origin}/api/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "scripted", stream: true, messages: [{ role: "user", content: question }] }),
      });
      if (response.status !== 200) throw new Error(`no stream: ${response.status} ${await response.text()}`);
      return readText(response.body!);
    },
    async message(chatId, messageId, isWanted) {
      for (;;) {
        const message = (await chat(chatId)).chat.history.messages[messageId];
        if (message && isWanted(message)) return message;
      }
    },
  };
}

/** Signs the person in once more. */
export async function createToken({ id }: LivePerson): Promise<string> {
  const [sessionId, now] = [newId(), services.now()];
  await services.db
    .insert(sessions)
    .values({ id: sessionId, userId: id, createdAt: now, lastUsedAt: now, expiresAt: null });
  return services.tokens.sign({ id, jti: sessionId, iat: now }, null);
}

/** A streamed answer as its caller sees it. */
export interface TextStream {
  /** Reads on until the text has come; resolves with all of the body so far. */
  until(text: string): Promise<string>;
  /** Reads to the end. */
  rest(): Promise<string>;
  /** Goes away in the middle. */
  leave(): Promise<void>;
}

function readText(body: ReadableStream<Uint8Array>): TextStream {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  const read = async (isEnough: () => boolean) => {
    while (!isEnough()) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
    }
    return text;
  };
  return {
    until: (wanted) => read(() => text.includes(wanted)),
    rest: () => read(() => false),
    leave: () => reader.cancel("gone"),
  };
}

type EventFrame = Extract<ServerFrame, { kind: "event" }>;
type WelcomeFrame = Extract<ServerFrame, { kind: "welcome" }>;

export interface Tab {
  frames: ServerFrame[];
  closed: { code: number; reason: string } | undefined;
  send(frame: unknown): void;
  /** Says hello and resolves with the answer. */
  hello(known?: { epoch: string; since: number }): Promise<WelcomeFrame>;
  /** Resolves with the first frame, of those not yet taken, that fits; the ones before it are skipped. */
  next(isWanted: (frame: ServerFrame) => boolean): Promise<ServerFrame>;
  /** Resolves with the next event of a type. */
  event(type: string): Promise<EventFrame>;
  untilClosed(): Promise<{ code: number; reason: string }>;
  close(): void;
}

function createTab(socket: WebSocket): Tab {
  const waiting = new Set<() => void>();
  const changed = () => waiting.forEach((wake) => wake());
  let taken = 0;
  const until = <T>(find: () => T | undefined) =>
    new Promise<T>((resolve) => {
      const look = () => {
        const found = find();
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  const tab: Tab = {
    frames: [],
    closed: undefined,
    send: (frame) => socket.send(typeof frame === "string" ? frame : JSON.stringify(frame)),
    hello(known) {
      tab.send({ kind: "hello", ...known });
      return tab.next((frame) => frame.kind === "welcome") as Promise<WelcomeFrame>;
    },
    next: (isWanted) =>
      until(() => {
        const at = tab.frames.findIndex((frame, index) => index >= taken && isWanted(frame));
        if (at === -1) return undefined;
        taken = at + 1;
        return tab.frames[at]!;
      }),
    event: (type) => tab.next((frame) => frame.kind === "event" && frame.data.type === type) as Promise<EventFrame>,
    untilClosed: () => until(() => tab.closed),
    close: () => socket.close(1000, "done"),
  };
  socket.addEventListener("message", ({ data }) => {
    tab.frames.push(data === "pong" ? ({ kind: "pong" } as never) : (JSON.parse(data as string) as ServerFrame));
    changed();
  });
  socket.addEventListener("close", ({ code, reason }) => {
    tab.closed = { code, reason };
    changed();
  });
  socket.accept();
  return tab;
}
