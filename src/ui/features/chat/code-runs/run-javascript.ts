import { at } from "../../../lib/base-path.ts";
import { isRecord, textField } from "../../../lib/live/live-state.ts";
import type { CodeEnd, CodeFailure, RunCode } from "./code-output.ts";
import { texts } from "./texts.ts";

/** Longest run, and until the frame has to be there; milliseconds. */
const limitMs = 60_000;
const loadMs = 10_000;

/**
 * Runs JavaScript in this browser: in a worker of a frame that is a stranger to this page, without network and storage. The worker
 * keeps an endless loop away from the page, and to stop is to take the frame away.
 */
export const runJavaScript: RunCode = (code, { signal, onOutput }) =>
  new Promise((resolve, reject) => {
    const frame = document.createElement("iframe");
    frame.src = at("/frames/run");
    frame.setAttribute("sandbox", "allow-scripts");
    frame.referrerPolicy = "no-referrer";
    frame.title = "";
    frame.ariaHidden = "true";
    frame.tabIndex = -1;
    frame.style.cssText = "position: fixed; width: 0; height: 0; border: 0; visibility: hidden";
    let isReady = false;
    let timer = setTimeout(() => finish(() => reject(new Error(texts.unloaded))), loadMs);
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      removeEventListener("message", hear);
      signal.removeEventListener("abort", stop);
      frame.remove();
      settle();
    };
    const end = (result: string, failure?: CodeFailure): void =>
      finish(() => resolve({ result, failure, files: [], leftOut: [] } satisfies CodeEnd));
    const stop = (): void => finish(() => reject(signal.reason as Error));
    const hear = ({ source, data }: MessageEvent<unknown>): void => {
      if (source !== frame.contentWindow || frame.contentWindow === null || !isRecord(data)) return;
      if (data["kind"] === "ready") {
        if (isReady) return;
        isReady = true;
        clearTimeout(timer);
        timer = setTimeout(() => end("", failureOf("timeout", texts.tooSlow(limitMs / 1000))), limitMs);
        frame.contentWindow.postMessage({ code }, "*");
      } else if (data["kind"] === "output" && Array.isArray(data["lines"])) {
        for (const line of data["lines"].filter(isRecord))
          onOutput({ stream: line["isError"] === true ? "stderr" : "stdout", text: `${textField(line, "text")}\n` });
      } else if (data["kind"] === "end") {
        const { error, line } = data;
        if (typeof error !== "string") return end(textField(data, "value"));
        const [name = "Error", ...rest] = error.split(": ");
        end("", { ...failureOf(name, rest.join(": ")), line: typeof line === "number" && line > 0 ? line : undefined });
      } else if (data["kind"] === "flood") end("", failureOf("stopped", texts.tooMuch));
    };
    addEventListener("message", hear);
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
    else document.body.append(frame);
  });

function failureOf(name: string, message: string): CodeFailure {
  return { name, message, line: undefined, traceback: "" };
}
