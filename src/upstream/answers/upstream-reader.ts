import { type ByteReader, readBytes, readResponse } from "../../http/byte-reader.ts";
import { readBounded } from "../../http/read-bounded.ts";
import { joinBytes } from "../../lib/join-bytes.ts";
import type { StopSignal } from "../../lib/stop-signal.ts";
import { realTimers, type Timers, watchIdle } from "../../lib/timers.ts";
import { utf8Beginning, utf8Text } from "../../lib/utf8.ts";
import { networkFailure } from "../errors/network-failure.ts";
import { upstreamErrorFromText } from "../errors/read-upstream-error.ts";
import { cancelledRequest, emptyAnswer, UpstreamError } from "../errors/upstream-error.ts";
import { type AnswerForm, sniffAnswer } from "./sniff-answer.ts";

export interface UpstreamReaderOptions {
  secrets?: readonly string[] | undefined;
  /** The caller's signal: when it fires, the upstream is closed immediately. */
  signal?: StopSignal | undefined;
  /** Has the reader of the answer once it is there, if its beginning was read already. */
  reading?: { reader?: ByteReader | undefined } | undefined;
  /** Called when the upstream is closed before its end, to abort the fetch too; also before it has answered. */
  onCancel?: ((reason: unknown) => void) | undefined;
  /** Maximum silence of the upstream, milliseconds. Reasoning models think for minutes without a byte. */
  idleTimeoutMs?: number | undefined;
  /** Maximum time until its answer begins, milliseconds; default `idleTimeoutMs`. */
  answerTimeoutMs?: number | undefined;
  timers?: Timers | undefined;
}

/** An upstream's answer whose form is known, with all of its data. */
export interface OpenedAnswer {
  form: AnswerForm;
  headers: Headers;
  head: Uint8Array[];
}

/** One upstream answer being read; it can be closed at any time, also before its status. */
export interface UpstreamReader {
  /** Waits for status and first characters. Throws an UpstreamError for a bad status, an empty body or a failure. */
  open(): Promise<OpenedAnswer>;
  /** The next bytes, or undefined at the end. Throws an UpstreamError if the connection breaks. */
  read(): Promise<Uint8Array | undefined>;
  /** The whole rest as text, `ended: false` beyond the limit. */
  readText(opened: OpenedAnswer, maxBytes: number): Promise<{ text: string; ended: boolean }>;
  cancel(reason: unknown): void;
  /** Closes the upstream with an error for the caller. */
  interrupt(why: UpstreamError): void;
  /** Stops the silence timer; call it when reading is finished. */
  close(): void;
  cancelled(): boolean;
}

const defaultIdleTimeoutMs = 600_000;
const errorBodyTimeoutMs = 5_000;
const maxErrorBytes = 64 * 1024;

/** Starts reading an upstream's answer. */
export function createUpstreamReader(
  answer: Response | Promise<Response>,
  options: UpstreamReaderOptions,
): UpstreamReader {
  const timers = options.timers ?? realTimers;
  let reader: ByteReader | undefined;
  let cancelled = false;
  let interruption: UpstreamError | undefined;
  let interrupt: (why: UpstreamError) => void = () => undefined;
  const interrupted = new Promise<never>((_resolve, reject) => {
    interrupt = reject;
  });
  interrupted.catch(() => undefined);
  const idleTimeoutMs = options.idleTimeoutMs ?? defaultIdleTimeoutMs;
  const onIdle = (): void => {
    const message = "The upstream sent no data for too long.";
    letGo(new UpstreamError(504, message, { type: "upstream_error", code: "upstream_timeout" }));
  };
  let watch = watchIdle(timers, options.answerTimeoutMs ?? idleTimeoutMs, onIdle);
  const onAbort = (): void => cancel(options.signal?.reason);

  function letGo(why: UpstreamError): void {
    if (interruption) return;
    interruption = why;
    close();
    interrupt(why);
    const reason = why.cause ?? why;
    reader?.cancel(reason).catch(() => undefined);
    if (!reader)
      void Promise.resolve(answer)
        .then((late) => (options.reading?.reader ?? late.body)?.cancel(reason))
        .catch(() => undefined);
    options.onCancel?.(reason);
  }

  function cancel(reason: unknown): void {
    if (interruption) return;
    cancelled = true;
    letGo(cancelledRequest(reason));
  }

  function close(): void {
    watch.stop();
    options.signal?.removeEventListener("abort", onAbort);
  }

  async function read(): Promise<Uint8Array | undefined> {
    if (!reader || interruption) throw interruption ?? emptyAnswer();
    let step: Awaited<ReturnType<ByteReader["read"]>>;
    try {
      step = await reader.read();
    } catch (error) {
      throw interruption ?? networkFailure(error);
    }
    // A cancelled body ends like a complete one.
    if (interruption) throw interruption;
    watch.touch();
    return step.done ? undefined : step.value;
  }

  async function readText(opened: OpenedAnswer, maxBytes: number): Promise<{ text: string; ended: boolean }> {
    if (!reader) throw emptyAnswer();
    try {
      const result = await readBounded(reader, maxBytes, opened.head, reader.expected);
      if (interruption) throw interruption;
      return result;
    } catch (error) {
      throw interruption ?? networkFailure(error);
    }
  }

  /** The error of a failed status. A body that hangs or breaks must not hide the status. */
  async function readFailure(response: Response): Promise<UpstreamError> {
    const { status, headers, body } = response;
    const source = { status, headers, secrets: options.secrets };
    if (!body) return upstreamErrorFromText("", source);
    const bodyReader = readBytes(body);
    reader = bodyReader;
    const timer = timers.set(() => void bodyReader.cancel().catch(() => undefined), errorBodyTimeoutMs);
    try {
      const { text } = await readBounded(bodyReader, maxErrorBytes);
      return upstreamErrorFromText(text, source);
    } catch {
      return upstreamErrorFromText("", source);
    } finally {
      timers.clear(timer);
    }
  }

  async function open(): Promise<OpenedAnswer> {
    if (options.signal?.aborted) onAbort();
    options.signal?.addEventListener("abort", onAbort);
    let response: Response;
    try {
      response = await Promise.race([answer, interrupted]);
    } catch (error) {
      throw interruption ?? networkFailure(error);
    }
    if (interruption) throw interruption;
    watch.stop();
    watch = watchIdle(timers, idleTimeoutMs, onIdle);
    if (!response.ok) {
      const error = await readFailure(response);
      throw interruption ?? error;
    }
    if (!response.body) throw emptyAnswer();
    reader = options.reading?.reader ?? readResponse(response);
    const head: Uint8Array[] = [];
    for (;;) {
      const bytes = await read();
      if (bytes) head.push(bytes);
      const start = joinBytes(head);
      const text = bytes ? utf8Beginning(start) : utf8Text(start);
      const form = sniffAnswer(response.headers.get("content-type"), text, bytes === undefined);
      if (form === "other" && text.trim() === "") throw emptyAnswer();
      if (form) return { form, headers: response.headers, head };
    }
  }

  return {
    open,
    read,
    readText,
    cancel,
    interrupt: letGo,
    close,
    cancelled() {
      return cancelled;
    },
  };
}
