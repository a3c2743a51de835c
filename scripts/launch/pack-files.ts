import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { packedTypes } from "../../src/http/packed-types.ts";

/** Below this, a response fits into the packets that it takes anyway; bytes. */
const minBytes = 1000;
/** The highest one takes ten times as long for 5 % less. */
const quality = 9;

/** Puts `NAME.br` beside each file that browsers take compressed. On the edge the platform compresses by itself. */
export async function packFiles(folder: string): Promise<void> {
  const compress = promisify(brotliCompress);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => packedTypes.has(path.extname(name)) && statSync(path.join(folder, name)).size >= minBytes,
  );
  await Promise.all(
    files.map(async (name) => {
      const bytes = readFileSync(path.join(folder, name));
      const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
      const packed = await compress(bytes, { params });
      writeFileSync(path.join(folder, `${name}.br`), packed);
    }),
  );
}
