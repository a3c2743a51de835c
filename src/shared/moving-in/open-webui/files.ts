import { objectOf, secondsOf, textOf } from "../read-values.ts";
import type { ImportedFile, Reader, Row, Translated, Uploads } from "../row-source.ts";
import { hasTable } from "../rows-in-order.ts";
import { textFile } from "../text-file.ts";

const maxName = 500;

/** Files with their bytes. Where these are gone, their text is brought, if Open WebUI has read it. */
export const filesReader: Reader = {
  name: "files",
  tables: ["file"],
  async *read({ source, uploads }) {
    if (!(await hasTable(source, "file"))) return;
    for await (const row of source.rows("file")) {
      const translated = await translate(row, uploads);
      if (translated) yield translated;
    }
  },
};

async function translate(row: Row, uploads: Uploads): Promise<Translated | undefined> {
  const id = textOf(row, "id");
  if (id === undefined) return undefined;
  const personId = textOf(row, "user_id");
  if (personId === undefined) return leftOut(id, "It has no owner");
  const meta = objectOf(row, "meta");
  const name = (textIn(meta, "name") ?? textOf(row, "filename") ?? "file").slice(0, maxName);
  const contentType = textIn(meta, "content_type");
  const createdAt = secondsOf(row, "created_at");
  const file: ImportedFile = {
    id,
    person_id: personId,
    name,
    ...(contentType === undefined ? {} : { content_type: contentType.slice(0, 200) }),
    ...(createdAt === undefined ? {} : { created_at: createdAt }),
  };
  const path = textOf(row, "path") ?? textIn(meta, "path");
  const found = path === undefined ? undefined : await uploads.open(path);
  if (path !== undefined && found) {
    // Only whether it is there: it is opened when it is sent.
    if ("cancel" in found.body) await found.body.cancel();
    return { file, open: () => uploads.open(path) };
  }
  const text = textIn(objectOf(row, "data"), "content");
  if (text === undefined || text.trim() === "") return leftOut(id, "Its bytes are not among the uploads");
  const { content_type: _, ...rest } = file;
  const plainName = /\.(txt|md)$/i.test(name) ? name : `${name}.txt`;
  const note = "Its bytes were not among the uploads: this is the text that was read from it";
  return { file: { ...rest, name: plainName, note }, open: async () => textFile(text) };
}

function leftOut(id: string, reason: string): Translated {
  return { leftOut: { kind: "file", id, reason } };
}

function textIn(value: Record<string, unknown> | undefined, key: string): string | undefined {
  const text = value?.[key];
  return typeof text === "string" && text !== "" ? text : undefined;
}
