import type { HighlightResult, HighlightTask } from "./highlight-worker.ts";

/** The worker ends itself after this long without work: it holds the text of what it did last. */
const idleMs = 30_000;

let worker: Worker | undefined;
let ending: ReturnType<typeof setTimeout> | undefined;
let last = 0;
const waiting = new Map<number, HTMLElement>();

/**
 * Colours a long listing without holding up the page: a worker reads it, and the page takes over one slice of lines at a
 * time, between frames. The text of the element stays the same throughout; where it changes meanwhile, colouring ends.
 */
export function highlightAside(code: HTMLElement, language: string): void {
  if (code.dataset["painted"] !== undefined) return;
  code.dataset["painted"] = "";
  clearTimeout(ending);
  worker ??= start();
  last += 1;
  waiting.set(last, code);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker is no window
  worker.postMessage({ id: last, code: code.textContent ?? "", language } satisfies HighlightTask);
}

function start(): Worker {
  const started = new Worker(new URL("./highlight-worker.ts", import.meta.url), { type: "module" });
  started.addEventListener("message", (event: MessageEvent<HighlightResult>) => {
    const code = waiting.get(event.data.id);
    waiting.delete(event.data.id);
    if (code) void take(code, event.data.slices);
    if (waiting.size === 0) ending = setTimeout(stop, idleMs);
  });
  // Without it code stays plain.
  started.addEventListener("error", stop);
  return started;
}

function stop(): void {
  worker?.terminate();
  worker = undefined;
  waiting.clear();
}

async function take(code: HTMLElement, slices: readonly string[]): Promise<void> {
  const [rest] = code.childNodes;
  if (slices.length === 0 || !(rest instanceof Text) || code.childNodes.length > 1) return;
  for (const html of slices) {
    await nextFrame();
    const slice = document.createElement("span");
    slice.className = "slice";
    // Safe: the highlighter escapes the source and adds nothing but its own spans.
    slice.innerHTML = html;
    const text = slice.textContent ?? "";
    if (!code.isConnected || !rest.data.startsWith(text)) return;
    rest.before(slice);
    rest.deleteData(0, text.length);
  }
  rest.remove();
}

/** A tab in the background has no frames, and need not wait for them. */
function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    if (document.hidden) setTimeout(resolve, 0);
    else requestAnimationFrame(() => resolve());
  });
}
