import { at } from "../../../lib/base-path.ts";
import { texts } from "../texts.ts";

/** What code has come to: a value that JSON can hold, or why there is none. */
export type CodeResult = { value: unknown } | { error: string };

/** Longest result, in UTF-16 units of its JSON. */
const maxResultLength = 1_000_000;
/** Milliseconds until the frame has to be there. */
const loadLimit = 10_000;

/**
 * Runs JavaScript in a frame that is a stranger to this page: an origin of its own, so no cookies, no storage and no way to
 * the page; and a policy of its own, so no network. There it runs in a worker, without a document, so that it cannot stop
 * this tab. The code is the body of an async function. Never rejects.
 * @param limit milliseconds; the frame is taken away after them, or when `signal` aborts
 */
export function runCode(code: string, { limit, signal }: { limit: number; signal: AbortSignal }): Promise<CodeResult> {
  return new Promise((resolve) => {
    const frame = document.createElement("iframe");
    frame.src = at("/frames/execute");
    frame.setAttribute("sandbox", "allow-scripts");
    frame.referrerPolicy = "no-referrer";
    frame.title = "";
    frame.ariaHidden = "true";
    frame.tabIndex = -1;
    // Not `display: none`, which some browsers take for a page that nobody needs.
    frame.style.cssText = "position: fixed; width: 0; height: 0; border: 0; visibility: hidden";
    let isReady = false;
    let timer = setTimeout(() => end({ error: texts.code.unloaded }), loadLimit);

    const end = (result: CodeResult): void => {
      clearTimeout(timer);
      removeEventListener("message", hear);
      signal.removeEventListener("abort", stop);
      frame.remove();
      resolve(result);
    };
    const stop = (): void => end({ error: texts.code.stopped });
    const hear = (event: MessageEvent<unknown>): void => {
      if (event.source !== frame.contentWindow || frame.contentWindow === null) return;
      const said = readMessage(event.data);
      if (said?.kind === "ready") {
        if (isReady) return;
        isReady = true;
        clearTimeout(timer);
        timer = setTimeout(() => end({ error: texts.code.timeout(Math.round(limit / 1000)) }), limit);
        frame.contentWindow.postMessage({ code }, "*");
      } else if (said) end(said.result);
    };
    addEventListener("message", hear);
    signal.addEventListener("abort", stop);
    document.body.append(frame);
  });
}

/** The frame speaks in `{kind: "ready"}`, `{kind: "value", json}` and `{kind: "error", message}`. */
function readMessage(data: unknown): { kind: "ready" } | { kind: "end"; result: CodeResult } | undefined {
  if (typeof data !== "object" || data === null || !("kind" in data)) return undefined;
  if (data.kind === "ready") return { kind: "ready" };
  if (data.kind === "error" && "message" in data)
    return { kind: "end", result: { error: String(data.message).slice(0, 4000) } };
  if (data.kind !== "value" || !("json" in data) || typeof data.json !== "string") return undefined;
  if (data.json.length > maxResultLength) return { kind: "end", result: { error: texts.code.tooLarge } };
  try {
    return { kind: "end", result: { value: JSON.parse(data.json) as unknown } };
  } catch {
    return { kind: "end", result: { value: null } };
  }
}
