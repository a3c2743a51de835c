import type { LiteParse, ParsedPage, ScreenshotResult } from "@llamaindex/liteparse-wasm";
import type { Piece } from "../../document.ts";

/** Enough for small print, and little enough for a model to take. */
const dotsPerInch = 110;
const maxBytes = 8e6;
/** The longer side of the picture. Pages may be as large as a house, and pixels take memory. */
const maxPixels = 1800;

/** Renders one page; nothing where it is empty. A page that cannot be rendered is left out: others may be read. */
export async function* takePicture(
  create: (own: Record<string, unknown>) => LiteParse,
  bytes: Uint8Array,
  page: Pick<ParsedPage, "pageNum" | "width" | "height">,
): AsyncGenerator<Piece, undefined> {
  const screenshot = await render(create, bytes, page);
  if (!screenshot || screenshot.isSolidFill || screenshot.imageBytes.length > maxBytes) return;
  const base64 = Buffer.from(screenshot.imageBytes).toString("base64");
  yield { type: "picture", page: page.pageNum, contentType: "image/png", base64 };
}

async function render(
  create: (own: Record<string, unknown>) => LiteParse,
  bytes: Uint8Array,
  { pageNum, width, height }: Pick<ParsedPage, "pageNum" | "width" | "height">,
): Promise<ScreenshotResult | undefined> {
  try {
    const inches = Math.max(width, height, 1) / 72;
    const dpi = Math.min(dotsPerInch, maxPixels / inches);
    const parser = create({ targetPages: String(pageNum), extractScreenshots: true, dpi });
    return (await parser.parse(bytes)).screenshots[0];
  } catch (error) {
    console.warn("could not render a page", error);
    return undefined;
  }
}
