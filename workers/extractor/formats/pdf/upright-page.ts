import type { LiteParse, ParsedPage } from "@llamaindex/liteparse-wasm";

/** Most of the letters have to stand that way: titles of axes do on many pages. */
const share = 0.6;

/**
 * Pages with sideways text, such as wide tables, have no Markdown: they are rotated and read again. Other pages stay as
 * they are.
 */
export async function uprightPage(
  create: (own: Record<string, unknown>) => LiteParse,
  bytes: Uint8Array,
  page: ParsedPage,
): Promise<ParsedPage> {
  const angle = findTurn(page);
  if (angle === 0) return page;
  const parser = create({
    targetPages: String(page.pageNum),
    pageOrientationCorrections: [{ page: page.pageNum, angle }],
  });
  const { pages } = await parser.parse(bytes);
  return pages[0] ?? page;
}

/** 90, 180 or 270 degrees; 0 where nothing has to be turned. */
function findTurn(page: ParsedPage): number {
  const letters = new Map<number, number>();
  let all = 0;
  for (const { text, rotation } of page.textItems) {
    const angle = ((Math.round(rotation / 90) % 4) + 4) % 4;
    letters.set(angle, (letters.get(angle) ?? 0) + text.length);
    all += text.length;
  }
  const turned = [1, 2, 3].find((quarter) => (letters.get(quarter) ?? 0) > all * share);
  return (turned ?? 0) * 90;
}
