import type { Outcome } from "../../../src/events/answers.ts";
import type { NewQuestion } from "../../../src/events/open-questions.ts";

/** Tells the object that whoever connects asks something. */
export const questionHeader = "x-parley-asks";

/** Milliseconds before a lost coordinator is asked again. */
const retryDelayMs = 250;
/** Milliseconds that the coordinator may be late with saying that time is over. */
const graceMs = 2000;

/**
 * Asks a person from outside of their coordinator. Over a socket, because the runtime closes it when either end is gone: a
 * promise would wait for ever, and the question would stay on the screen. A coordinator that was lost is asked again under the
 * same id.
 * @param signal closes the question
 */
export async function askOverSocket(
  coordinator: () => Pick<Fetcher, "fetch">,
  question: NewQuestion,
  signal: AbortSignal,
): Promise<Outcome> {
  for (;;) {
    if (signal.aborted) return { kind: "closed", reason: "stopped" };
    const outcome = await askOnce(coordinator, question, signal);
    if (outcome) return outcome;
    if (Date.now() >= question.expiresAt) return { kind: "closed", reason: "timeout" };
    await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
  }
}

/** Undefined where the connection was lost. */
async function askOnce(
  coordinator: () => Pick<Fetcher, "fetch">,
  question: NewQuestion,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  let socket: WebSocket | null;
  try {
    ({ webSocket: socket } = await coordinator().fetch("http://coordinator/", {
      headers: { upgrade: "websocket", [questionHeader]: "1" },
    }));
  } catch {
    return undefined;
  }
  if (!socket) return undefined;
  const opened = socket;
  const { promise, resolve } = Promise.withResolvers<Outcome | undefined>();
  opened.accept();
  opened.addEventListener("message", ({ data }) => resolve(JSON.parse(data as string) as Outcome));
  opened.addEventListener("close", () => resolve(undefined));
  opened.addEventListener("error", () => resolve(undefined));
  const onAbort = () => resolve({ kind: "closed", reason: "stopped" });
  signal.addEventListener("abort", onAbort);
  const timer = setTimeout(() => resolve(undefined), Math.max(0, question.expiresAt - Date.now()) + graceMs);
  opened.send(JSON.stringify(question));
  const outcome = await promise;
  clearTimeout(timer);
  signal.removeEventListener("abort", onAbort);
  try {
    opened.close(1000);
  } catch {
    // The other end has closed already.
  }
  return outcome;
}
