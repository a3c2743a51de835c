import { createStreamRepair, type StreamRepairOptions } from "../../src/upstream/repair/repair-stream.ts";

type Json = Record<string, unknown>;

const encoder = new TextEncoder();

export const encode = (text: string): Uint8Array => encoder.encode(text);
export const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** A chunk of a well-behaved upstream. */
export function chunk(delta: Json, more: { finish?: string; index?: number; top?: Json } = {}): Json {
  const choices = [{ index: more.index ?? 0, delta, finish_reason: more.finish ?? null }];
  return {
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1_762_000_000,
    model: "m",
    choices,
    ...more.top,
  };
}

/** The frame of an event. */
export const frame = (value: unknown): string =>
  `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`;

/** A whole stream of these events. */
export const stream = (...events: unknown[]): string => events.map(frame).join("");

export const done = "[DONE]";
export const start = chunk({ role: "assistant", content: "" });
export const say = (content: string): Json => chunk({ content });
export const stop = chunk({}, { finish: "stop" });

export function concat(parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}

/** Repairs the pieces, end included. */
export function repairAll(pieces: (string | Uint8Array)[], options: Partial<StreamRepairOptions> = {}) {
  const repair = createStreamRepair({ model: "asked", now: () => 1_700_000_000, newId: () => "new", ...options });
  const parts = pieces.map((piece) => repair.push(typeof piece === "string" ? encode(piece) : piece));
  parts.push(repair.end());
  const bytes = concat(parts);
  return { bytes, text: decode(bytes), parts, repair, reply: repair.result() };
}

/** A body of these pieces; `pulled` counts how many were taken, `cancelled` tells the reason of a cancel. */
export function bodyOf(pieces: (string | Uint8Array)[], end: "close" | "hang" | Error = "close") {
  const state = { pulled: 0, cancelled: undefined as unknown, isCancelled: false };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = pieces[state.pulled];
        if (piece !== undefined) {
          state.pulled += 1;
          controller.enqueue(typeof piece === "string" ? encode(piece) : piece);
          return undefined;
        }
        if (end === "close") controller.close();
        else if (end instanceof Error) controller.error(end);
        else return new Promise<void>(() => undefined);
        return undefined;
      },
      cancel(reason) {
        state.isCancelled = true;
        state.cancelled = reason;
      },
    },
    { highWaterMark: 0 },
  );
  return { body, state };
}

export async function readAll(body: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(body).arrayBuffer());
}
