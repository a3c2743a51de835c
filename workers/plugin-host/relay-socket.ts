import { runningCalls } from "./running-calls.ts";
import type { TrafficMeter } from "./traffic-meter.ts";

/** What one WebSocket of a plugin may do; both directions together. */
const maxBytes = 100_000_000;
const maxMessages = 100_000;
/** As the runtime takes them; bytes. */
const maxMessageBytes = 8_000_000;
const maxOpenMs = 1_800_000;
/** Open at a time in one isolate. */
const maxOpen = 8;
/** How often it is looked whether a call still runs; ms. */
const lookMs = 1000;

const open = new Map<string, number>();

interface RelayOptions {
  meter: TrafficMeter;
  isolate: string;
  host: string;
}

/**
 * The WebSocket of an answer, message by message: counted as traffic of the plugin, within its budget and the limits here, and ended
 * with the calls of its isolate.
 * @throws Error where the isolate has too many
 */
export function relaySocket(response: Response, { meter, isolate, host }: RelayOptions): Response {
  const there = response.webSocket!;
  const count = open.get(isolate) ?? 0;
  there.accept();
  if (count >= maxOpen) {
    there.close(1001);
    throw new Error(`A plugin can have at most ${maxOpen} WebSockets open at the same time`);
  }
  open.set(isolate, count + 1);
  const { 0: client, 1: here } = new WebSocketPair();
  for (const socket of [there, here]) socket.binaryType = "arraybuffer";
  here.accept();
  const until = Date.now() + maxOpenMs;
  let bytes = 0;
  let messages = 0;
  let isOver = false;

  const end = (code: number, reason: string): void => {
    if (isOver) return;
    isOver = true;
    clearInterval(timer);
    const left = (open.get(isolate) ?? 1) - 1;
    if (left > 0) open.set(isolate, left);
    else open.delete(isolate);
    for (const socket of [there, here]) close(socket, code, reason);
  };
  const timer = setInterval(() => {
    if (runningCalls.count(isolate) === 0) end(1001, "The call has ended");
    else if (Date.now() > until) end(1008, "It was open for too long");
  }, lookMs);
  const pass = (to: WebSocket, note: (length: number) => void) => (event: MessageEvent) => {
    if (isOver) return;
    const data = event.data as string | ArrayBuffer;
    const length = typeof data === "string" ? new TextEncoder().encode(data).length : data.byteLength;
    bytes += length;
    messages++;
    if (runningCalls.count(isolate) === 0) return end(1001, "The call has ended");
    if (length > maxMessageBytes) return end(1009, "A message is larger than the limit");
    if (bytes > maxBytes || messages > maxMessages) return end(1008, "It has passed its limit of messages");
    try {
      note(length);
      to.send(data);
    } catch (error) {
      end(1008, (error as Error).message);
    }
  };
  here.addEventListener(
    "message",
    pass(there, (length) => meter.send(host, length, Date.now())),
  );
  there.addEventListener(
    "message",
    pass(here, (length) => meter.receive(host, length)),
  );
  for (const socket of [here, there]) {
    socket.addEventListener("close", ({ code, reason }) => end(code, reason));
    socket.addEventListener("error", () => end(1011, "The connection failed"));
  }
  const protocol = response.headers.get("sec-websocket-protocol");
  return new Response(null, {
    status: 101,
    webSocket: client,
    headers: protocol === null ? {} : { "sec-websocket-protocol": protocol },
  });
}

/** With a code that may be sent (RFC 6455, 7.4), and a reason that fits. */
function close(socket: WebSocket, code: number, reason: string): void {
  const isSendable =
    (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)) || (code >= 3000 && code <= 4999);
  try {
    socket.close(isSendable ? code : 1000, reason.slice(0, 40));
  } catch {
    // It is closed already.
  }
}
