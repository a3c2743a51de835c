import type { Context } from "../../context.ts";
import { readBytesOfFile } from "../../documents/files/read-file.ts";
import { AppError } from "../../errors.ts";
import { toBase64 } from "../../lib/base64.ts";
import { joinBytes } from "../../lib/join-bytes.ts";
import type { InputFile } from "./run-python.ts";

/** Most that code can be given to read, in bytes: it travels as text in one piece. */
const maxBytes = 5_000_000;

/**
 * Files of the caller for code to read, by their names; one that is there twice gets a number.
 * @throws AppError `not_found` for a file that the caller may not read, `payload_too_large`
 */
export async function readInputFiles(ctx: Context, ids: readonly string[]): Promise<InputFile[]> {
  const files: InputFile[] = [];
  const names = new Set<string>();
  let left = maxBytes;
  for (const id of new Set(ids)) {
    const { file, body } = await readBytesOfFile(ctx, id, (size) => {
      if (size > left)
        throw new AppError("payload_too_large", `Code can read at most ${maxBytes / 1_000_000} MB of files`);
      left -= size;
      return undefined;
    });
    const chunks: Uint8Array[] = [];
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) chunks.push(chunk);
    const name = freeName(file.filename, names);
    names.add(name);
    files.push({ name, base64: toBase64(joinBytes(chunks)) });
  }
  return files;
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  const dot = name.lastIndexOf(".");
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${stem}-${number}${ending}`;
  return free;
}
