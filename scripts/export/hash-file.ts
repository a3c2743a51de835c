import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";

/** SHA-256 of a file's bytes, hexadecimal. */
export async function hashFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(file) as AsyncIterable<Uint8Array>) hash.update(piece);
  return hash.digest("hex");
}
