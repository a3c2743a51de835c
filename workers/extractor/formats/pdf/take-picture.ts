import type { LiteParse, ScreenshotResult } from "@llamaindex/liteparse-wasm";
import type { Piece } from "../../document.ts";

/** Enough for small print, and little enough for a model to take. */
const dotsPerInch = 110;
const maxBytes = 8e6;

/** Renders one page; nothing where it is empty. A page that cannot be rendered is left out: others may be read. */
export async function* takePicture(
  create: (own: Record<string, unknown>) => LiteParse,
  bytes: Uint8Array,
  page: number,
): AsyncGenerator<Piece, undefined> {
  const screenshot = await render(create, bytes, page);
  if (!screenshot || screenshot.isSolidFill || screenshot.imageBytes.length > maxBytes) return;
  const base64 = Buffer.from(screenshot.imageBytes).toString("base64");
  yield { type: "picture", page, contentType: "image/png", base64 };
}

async function render(
  create: (own: Record<string, unknown>) => LiteParse,
  bytes: Uint8Array,
  page: number,
): Promise<ScreenshotResult | undefined> {
  try {
    const parser = create({ targetPages: String(page), extractScreenshots: true, dpi: dotsPerInch });
    return (await parser.parse(bytes)).screenshots[0];
  } catch (error) {
    console.warn("a page could not be rendered", error);
    return undefined;
  }
}
