import type { PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { TextLayer } from "pdfjs-dist/legacy/build/pdf.mjs";
import { findPassage } from "./find-passage.ts";

/** A canvas of more pixels than this is refused by some phones. */
const maxPixels = 12_000_000;

export interface PaintOptions {
  /** In CSS pixels. */
  width: number;
  /** Marked where it stands on the page. */
  passage: string | undefined;
  signal: AbortSignal;
}

/**
 * Paints a page into an empty element, with its text over it, which can be selected and read aloud.
 * @returns the first place that is marked, if any
 * @throws when the page is broken; what `signal` gives as its reason when that ended it
 */
export async function paintPage(
  page: PDFPageProxy,
  box: HTMLElement,
  { width, passage, signal }: PaintOptions,
): Promise<HTMLElement | undefined> {
  const plain = page.getViewport({ scale: 1 });
  const scale = width / plain.width;
  const viewport = page.getViewport({ scale });
  const canvas = document.createElement("canvas");
  const pixels = viewport.width * viewport.height;
  const ratio = Math.min(devicePixelRatio || 1, Math.sqrt(maxPixels / pixels));
  canvas.width = Math.floor(viewport.width * ratio);
  canvas.height = Math.floor(viewport.height * ratio);
  canvas.ariaHidden = "true";
  const task = page.render({
    canvas,
    viewport,
    ...(ratio === 1 ? {} : { transform: [ratio, 0, 0, ratio, 0, 0] }),
  });
  const stop = (): void => task.cancel();
  signal.addEventListener("abort", stop, { once: true });
  try {
    await task.promise;
  } finally {
    signal.removeEventListener("abort", stop);
  }
  signal.throwIfAborted();
  const container = document.createElement("div");
  container.className = "text-layer";
  const layer = new TextLayer({ textContentSource: await page.getTextContent(), container, viewport });
  await layer.render();
  signal.throwIfAborted();
  box.style.setProperty("--total-scale-factor", String(scale));
  box.replaceChildren(canvas, container);
  if (!passage) return undefined;
  const places = findPassage(layer.textContentItemsStr, passage).flatMap((at) => layer.textDivs[at] ?? []);
  for (const place of places) place.classList.add("marked");
  return places[0];
}
