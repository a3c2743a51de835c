/** Charsets of fonts in RTF (`\fcharset`) and the code pages they mean. */
const byCharset: Record<number, number> = {
  77: 10000,
  128: 932,
  129: 949,
  130: 1361,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
};

export function codePageOf(charset: number): number | undefined {
  return byCharset[charset];
}

const encodings: Record<number, string> = {
  874: "windows-874",
  932: "shift_jis",
  936: "gbk",
  949: "euc-kr",
  950: "big5",
  1361: "euc-kr",
  10000: "macintosh",
  65001: "utf-8",
};

const decoders = new Map<number, TextDecoder>();

/** Decodes bytes of a code page; unknown ones are treated as Western. */
export function decodePage(bytes: readonly number[], page: number): string {
  let decoder = decoders.get(page);
  if (!decoder) {
    const encoding = encodings[page] ?? (page >= 1250 && page <= 1258 ? `windows-${page}` : "windows-1252");
    decoders.set(page, (decoder = new TextDecoder(encoding)));
    if (decoders.size > 50) decoders.clear();
  }
  return decoder.decode(Uint8Array.from(bytes));
}
