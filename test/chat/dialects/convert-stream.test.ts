import { describe, expect, test } from "vitest";
import { convertStream, type StreamConverter } from "../../../src/chat/dialects/convert-stream.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Says everything by its name. */
function createNamer(): StreamConverter {
  return {
    start: () => "<start>",
    chunk: (chunk) => `<${String(chunk["say"])}>`,
    idle: () => "<idle>",
    error: ({ message }) => `<error ${message}>`,
    end: () => "<end>",
  };
}

/** A body of these pieces, given one by one when they are asked for. */
function bodyOf(pieces: (string | Error)[]) {
  const seen = { pulled: 0, cancelled: undefined as unknown };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = pieces[seen.pulled++];
        if (piece instanceof Error) controller.error(piece);
        else if (piece === undefined) controller.close();
        else controller.enqueue(encoder.encode(piece));
      },
      cancel(reason) {
        seen.cancelled = reason ?? "without a reason";
      },
    },
    { highWaterMark: 0 },
  );
  return { body, seen };
}

/** What comes out, piece by piece. */
async function piecesOf(pieces: (string | Error)[], converter = createNamer()): Promise<string[]> {
  const out: string[] = [];
  for await (const bytes of convertStream(bodyOf(pieces).body, converter)) out.push(decoder.decode(bytes));
  return out;
}

const say = (word: string) => `data: ${JSON.stringify({ say: word })}\n\n`;
const done = "data: [DONE]\n\n";

describe("a stream in another dialect", () => {
  test("goes out in as many pieces as it came in, begun once and ended once", async () => {
    expect(await piecesOf([say("a"), say("b") + say("c"), done])).toEqual(["<start><a>", "<b><c>", "<end>"]);
  });

  test("says nothing for half an event, and nothing after its end", async () => {
    const [half, rest] = [say("a").slice(0, 9), say("a").slice(9)];
    expect(await piecesOf([half, rest, done + say("b"), say("c"), ": keep-alive\n\n"])).toEqual([
      "<start>",
      "<a>",
      "<end>",
    ]);
  });

  test("is kept alive in silence, also before its first word", async () => {
    const pieces = [": keep-alive\n\n", say("a"), ": keep-alive\n\n", done];
    expect(await piecesOf(pieces)).toEqual(["<start><idle>", "<a>", "<idle>", "<end>"]);
  });

  test("ends with an error where the model's does, breaks, or just stops", async () => {
    const error = `data: ${JSON.stringify({ error: { message: "No more", status: 500 } })}\n\n`;
    expect(await piecesOf([say("a"), error + say("b"), done])).toEqual(["<start><a>", "<error No more>"]);
    const stopped = "<error The upstream stopped in the middle of the answer.>";
    expect(await piecesOf([say("a"), new Error("reset")])).toEqual(["<start><a>", stopped]);
    expect(await piecesOf([say("a")])).toEqual(["<start><a>", stopped]);
    expect(await piecesOf([])).toEqual([`<start>${stopped}`]);
  });

  test("reads only when it is read, and lets the model go with its caller", async () => {
    const { body, seen } = bodyOf([say("a"), say("b"), done]);
    const reader = convertStream(body, createNamer()).getReader();
    expect(seen.pulled).toBe(0);
    await reader.read();
    expect(seen.pulled).toBe(1);
    await reader.cancel("left");
    expect(seen).toEqual({ pulled: 1, cancelled: "left" });
  });

  test("that has said everything lets the model go", async () => {
    let isOver = false;
    const converter: StreamConverter = {
      ...createNamer(),
      chunk: () => {
        isOver = true;
        return "<last>";
      },
      isOver: () => isOver,
    };
    const { body, seen } = bodyOf([say("a") + say("b"), say("c"), done]);
    expect(await new Response(convertStream(body, converter)).text()).toBe("<start><last><end>");
    expect(seen).toEqual({ pulled: 1, cancelled: "without a reason" });
  });
});
