import { at } from "../../../lib/base-path.ts";
import { texts } from "./texts.ts";

/** A drawing as SVG, or why there is none. */
export type Drawn = { svg: string } | { error: string };

/** Until the frame has to be there with its program; milliseconds. */
const loadMs = 20_000;
const drawMs = 10_000;
const maxSvg = 5_000_000;

interface Waiting {
  resolve(drawn: Drawn): void;
  timer: ReturnType<typeof setTimeout>;
}

/** One frame draws all diagrams. It is a stranger to this page, so that a fault of the program reaches nothing here. */
let frame: Promise<HTMLIFrameElement> | undefined;
const waiting = new Map<number, Waiting>();
let numbers = 0;

/** Draws a diagram from its text (Mermaid). Never rejects. */
export async function drawDiagram(text: string, isDark: boolean): Promise<Drawn> {
  let target: HTMLIFrameElement;
  try {
    target = await (frame ??= openFrame());
  } catch {
    frame = undefined;
    return { error: texts.diagram.unloaded };
  }
  const number = (numbers += 1);
  return new Promise((resolve) => {
    const timer = setTimeout(() => endFrame(texts.diagram.tooSlow), drawMs);
    waiting.set(number, { resolve, timer });
    target.contentWindow?.postMessage({ number, text, isDark }, "*");
  });
}

function openFrame(): Promise<HTMLIFrameElement> {
  return new Promise((resolve, reject) => {
    const element = document.createElement("iframe");
    element.src = at("/frames/diagram");
    element.setAttribute("sandbox", "allow-scripts");
    element.referrerPolicy = "no-referrer";
    element.title = "";
    element.ariaHidden = "true";
    element.tabIndex = -1;
    // It measures text, so it has a size, out of view.
    element.style.cssText =
      "position: fixed; inset-inline-start: -3000px; top: 0; width: 1200px; height: 800px; border: 0; visibility: hidden";
    const fail = setTimeout(() => {
      element.remove();
      reject(new Error("the frame did not load"));
    }, loadMs);
    addEventListener("message", function hear(event: MessageEvent<unknown>) {
      if (!element.isConnected) return removeEventListener("message", hear);
      if (event.source !== element.contentWindow) return undefined;
      const data = typeof event.data === "object" && event.data !== null ? (event.data as Record<string, unknown>) : {};
      if (data["kind"] === "ready") {
        clearTimeout(fail);
        resolve(element);
      } else take(data);
      return undefined;
    });
    document.body.append(element);
  });
}

function take({ kind, number, svg, message }: Record<string, unknown>): void {
  const asked = typeof number === "number" ? waiting.get(number) : undefined;
  if (!asked) return;
  waiting.delete(number as number);
  clearTimeout(asked.timer);
  asked.resolve(
    kind === "drawn" && typeof svg === "string" && svg.length <= maxSvg
      ? { svg }
      : { error: texts.diagram.failed(String(message ?? "").slice(0, 2000)) },
  );
}

/** A diagram that takes too long ends with its frame; the next one gets a new frame. */
function endFrame(error: string): void {
  void frame?.then((element) => element.remove());
  frame = undefined;
  for (const { resolve, timer } of waiting.values()) {
    clearTimeout(timer);
    resolve({ error });
  }
  waiting.clear();
}
