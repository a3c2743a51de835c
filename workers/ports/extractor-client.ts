import {
  type ChunkOptions,
  type ExtractEvent,
  type Extractor,
  ExtractorLost,
  type PageMark,
  type Passage,
} from "../../src/documents/files/extraction/extractor.ts";
import { splitLines } from "../../src/lib/split-lines.ts";
import type { Env } from "../env.ts";

interface Lost {
  type: "lost";
  reason: string;
}

type Reason = ExtractorLost["reason"];
const reasons: readonly Reason[] = ["memory", "time", "unreachable"];

/** The extractor Worker: the request is in a header, the answer is one JSON document per line. */
export function createExtractor(env: Pick<Env, "EXTRACTOR">): Extractor {
  const ask = async (path: string, options: unknown, body: BodyInit, signal: AbortSignal): Promise<Response> => {
    let response: Response;
    try {
      response = (await env.EXTRACTOR.fetch(`http://extractor/${path}`, {
        method: "POST",
        headers: { "x-options": encodeURIComponent(JSON.stringify(options)) },
        body: body as never,
        signal,
      })) as unknown as Response;
    } catch (cause) {
      throw lost(signal, cause, readBound(cause) ?? "unreachable");
    }
    if (response.ok && response.body) return response;
    const said = await response.text().catch(() => "");
    throw lost(signal, said, reasons.find((each) => each === /"reason":"(\w+)"/.exec(said)?.[1]) ?? "unreachable");
  };
  async function* lines<T extends object>(response: Response, signal: AbortSignal): AsyncIterable<T> {
    try {
      for await (const line of splitLines(response.body!)) {
        // What the launcher puts behind an answer that breaks off begins with a new line.
        if (line === "") continue;
        const item = JSON.parse(line) as T | Lost;
        if ("type" in item && item.type === "lost")
          throw lost(
            signal,
            line,
            reasons.find((each) => each === item.reason),
          );
        yield item as T;
      }
    } catch (cause) {
      throw cause instanceof ExtractorLost ? cause : lost(signal, cause);
    }
  }
  return {
    async *extract(body, options, signal) {
      const events = lines<ExtractEvent>(await ask("extract", options, body, signal), signal);
      let last: ExtractEvent | undefined;
      for await (const event of events) {
        // Told when nothing more comes: anyone who breaks off at the last word would break off the answer.
        if (event.type === "end" || event.type === "failed") last = event;
        else yield event;
      }
      if (!last) throw lost(signal, "the answer ended early");
      yield last;
    },
    async *chunk(text, pages: readonly PageMark[], options: ChunkOptions, signal) {
      // The marks of a long text are too long for a header: they are the first line of the body.
      const marks = new TextEncoder().encode(`${JSON.stringify(pages)}\n`);
      const response = await ask("chunk", options, after(marks, text), signal);
      let isDone = false;
      for await (const line of lines<Passage[] | { done: true }>(response, signal)) {
        if (Array.isArray(line)) yield line;
        else isDone = true;
      }
      if (!isDone) throw lost(signal, "the answer ended early");
    },
    async cluster(vectors, options, signal) {
      const response = await ask("cluster", options, vectors as Uint8Array<ArrayBuffer>, signal);
      try {
        return new Uint8Array(await response.arrayBuffer());
      } catch (cause) {
        throw lost(signal, cause);
      }
    },
  };
}

/**
 * A timeout was caused by this side; an extractor that dies in the middle of an answer died of memory, unless a reason is known.
 */
function lost(signal: AbortSignal, cause: unknown, reason = readBound(cause) ?? "memory"): ExtractorLost {
  return new ExtractorLost(signal.aborted ? "time" : reason, { cause });
}

/** Which bound of the edge an isolate was stopped at: "Worker exceeded memory limit", "Worker exceeded CPU time limit". */
function readBound(cause: unknown): Reason | undefined {
  const said = String(cause);
  if (/exceeded memory limit/i.test(said)) return "memory";
  return /exceeded CPU time limit/i.test(said) ? "time" : undefined;
}

function after(first: Uint8Array, rest: ReadableStream<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>();
  const writer = writable.getWriter();
  void writer
    .write(first)
    .then(() => {
      writer.releaseLock();
      return rest.pipeTo(writable);
    })
    .catch(() => undefined);
  return readable;
}
