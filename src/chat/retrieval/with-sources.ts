import type { ImageList } from "../../images/schema.ts";
import { joinBytes } from "../../lib/join-bytes.ts";
import { isRecord, tryParseJson } from "../../lib/json.ts";
import { utf8Text } from "../../lib/utf8.ts";
import type { UpstreamAnswer } from "../../upstream/answers/read-upstream-answer.ts";
import type { Retrieval } from "./retrieve.ts";

/**
 * The answer with its sources: `sources` beside the choices of a complete answer, or in the first event of a stream, as
 * in Open WebUI; `warnings` if something could not be used, and `images` that were made for it.
 */
export function withSources(
  answer: UpstreamAnswer,
  retrieval: Pick<Retrieval, "sources" | "notes">,
  images: ImageList = [],
): UpstreamAnswer {
  const warnings = {
    ...(retrieval.notes.length > 0 ? { warnings: retrieval.notes } : {}),
    ...(images.length > 0 ? { images } : {}),
  };
  if (answer.kind === "stream")
    return { ...answer, body: withFirstEvent(answer.body, { sources: retrieval.sources, ...warnings }) };
  const { sources: own } = answer.value;
  const sources = [...retrieval.sources, ...(Array.isArray(own) ? (own as unknown[]) : [])];
  const value = { ...answer.value, sources, ...warnings };
  return { ...answer, value, body: JSON.stringify(value) };
}

/** The stream with an additional first chunk: same id, without choices. */
export function withFirstEvent(
  body: ReadableStream<Uint8Array>,
  extra: Record<string, unknown>,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let held: Uint8Array[] | undefined = [];

  /** The bytes with the event inserted; undefined as long as the first chunk is incomplete. */
  function insert(pieces: readonly Uint8Array[]): Uint8Array | undefined {
    const bytes = joinBytes([...pieces]);
    const text = utf8Text(bytes);
    const start = text.search(/^data:/m);
    const end = start === -1 ? -1 : text.indexOf("\n\n", start);
    if (end === -1) return undefined;
    const chunk = tryParseJson(text.slice(start + 5, end));
    const encoder = new TextEncoder();
    const before = encoder.encode(text.slice(0, start));
    return joinBytes([before, encoder.encode(frameOf(chunk, extra)), bytes.subarray(before.length)]);
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) {
            for (const bytes of held ?? []) controller.enqueue(bytes);
            controller.close();
            return;
          }
          if (!held) return controller.enqueue(value);
          held.push(value);
          const complete = insert(held);
          if (complete) {
            held = undefined;
            return controller.enqueue(complete);
          }
          // Comments go on at once: they keep the connection alive while the model has not begun.
          if (isComment(held)) {
            const comment = joinBytes(held);
            held = [];
            return controller.enqueue(comment);
          }
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** An error is no answer, so nothing was looked up for it. */
function frameOf(chunk: unknown, extra: Record<string, unknown>): string {
  if (!isRecord(chunk) || chunk["error"]) return "";
  const { id, object, created, model } = chunk;
  return `data: ${JSON.stringify({ id, object, created, model, choices: [], ...extra })}\n\n`;
}

function isComment(pieces: readonly Uint8Array[]): boolean {
  const text = utf8Text(joinBytes([...pieces]));
  return text.endsWith("\n\n") && text.split("\n\n").every((frame) => frame === "" || frame.startsWith(":"));
}
