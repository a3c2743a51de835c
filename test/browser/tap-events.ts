import type { Page, WebSocketRoute } from "playwright-core";
import type { LiveEvent } from "../../src/shared/live-protocol.ts";

/** The live socket of a page with a way to say things in the service's place. */
export interface Tap {
  /** What the service calls the page's connection. */
  readonly sessionId: string;
  /** Sends the page an event, in the order of the service's own. */
  say(event: LiveEvent): void;
}

/**
 * Stands between a page and the service's live socket, so that a test can speak the service's part. To be called before the
 * page is opened. The numbers of events are moved on by those that were added, so that the page sees none missing.
 */
export async function tapEvents(page: Page): Promise<Tap> {
  let socket: WebSocketRoute | undefined;
  let added = 0;
  let last = 0;
  let sessionId = "";
  await page.routeWebSocket(/\/api\/v1\/events$/, (route) => {
    const server = route.connectToServer();
    socket = route;
    route.onMessage((message) => {
      const isHello = String(message).includes('"hello"');
      if (isHello) added = 0;
      // The page counts what only it has seen: the service is asked as by somebody new.
      server.send(isHello ? JSON.stringify({ kind: "hello" }) : message);
    });
    server.onMessage((message) => {
      const text = String(message);
      if (!text.startsWith("{")) return route.send(message);
      const frame = JSON.parse(text) as { seq?: number; session_id?: string };
      sessionId = frame.session_id ?? sessionId;
      last = (frame.seq ?? 0) + added;
      return route.send(JSON.stringify({ ...frame, ...(frame.seq === undefined ? {} : { seq: last }) }));
    });
  });
  return {
    get sessionId() {
      return sessionId;
    },
    say(event) {
      if (!socket) throw new Error("the page has no live socket yet");
      added += 1;
      last += 1;
      socket.send(JSON.stringify({ kind: "event", seq: last, ...event }));
    },
  };
}

/** A question for `say`, as the service asks it; it waits for five minutes. */
export function question(id: string, place: Partial<LiveEvent>, type: string, data: object, tab?: string): LiveEvent {
  const call = { id, expires_at: Math.floor(Date.now() / 1000) + 300, ...(tab === undefined ? {} : { tab }) };
  return { ...place, data: { type, data }, call };
}

/** The word that a question is over. */
export function closed(id: string, reason: "answered" | "timeout" | "stopped"): LiveEvent {
  return { data: { type: "call:closed", data: { call_id: id, reason } } };
}
