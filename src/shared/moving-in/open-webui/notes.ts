import { cleanValue } from "../clean-value.ts";
import { pagesOf } from "../pages-of.ts";
import { isObject, objectOf, textOf } from "../read-values.ts";
import type { Reader, Row } from "../row-source.ts";
import { hasTable } from "../rows-in-order.ts";
import { textFile } from "../text-file.ts";
import { grantsOf } from "./grants.ts";
import { link, timesOf } from "./knowledge.ts";

/** Notes as Markdown files of their owners, in a knowledge base "Notes" of each. */
export const notesReader: Reader = {
  name: "notes",
  tables: ["note"],
  async *read(reading) {
    const { source } = reading;
    if (!(await hasTable(source, "note"))) return;
    const withBase = new Set<string>();
    for await (const page of pagesOf(source.rows("note"), 50)) {
      const grants = await grantsOf(reading, "note", page);
      for (const [index, row] of page.entries()) {
        const id = textOf(row, "id");
        if (id === undefined) continue;
        const personId = textOf(row, "user_id");
        const text = markdownOf(row);
        const reason = personId === undefined ? "It has no owner" : text === "" ? "It has no text" : undefined;
        if (reason !== undefined || personId === undefined) {
          yield { leftOut: { kind: "note", id, reason: reason! } };
          continue;
        }
        const baseId = `notes-${personId}`.slice(0, 300);
        if (!withBase.has(personId)) {
          withBase.add(personId);
          yield {
            record: {
              kind: "knowledge",
              id: baseId,
              person_id: personId,
              name: "Notes",
              description: "Notes from Open WebUI",
            },
          };
        }
        const title = textOf(row, "title")?.trim().replaceAll(/[\\/]/g, "-").slice(0, 180);
        const { created_at: createdAt } = timesOf(row);
        const file = {
          id,
          person_id: personId,
          name: `${title === undefined || title === "" ? "Note" : title}.md`,
          content_type: "text/markdown",
          ...(createdAt === undefined ? {} : { created_at: createdAt }),
          ...(grants[index]!.length === 0
            ? {}
            : { note: "It was shared with others: share the knowledge base with them" }),
        };
        yield { file, open: async () => textFile(text) };
        yield { record: link(`note ${id}`, baseId, id, { created_at: createdAt }) };
      }
    }
  },
};

/** In some versions it is not a text. */
function markdownOf(row: Row): string {
  const content = objectOf(row, "data")?.["content"];
  const text = isObject(content) ? content["md"] : content;
  if (typeof text === "string") return text.trim();
  return text === undefined || text === null ? "" : `\`\`\`json\n${JSON.stringify(cleanValue(text), null, 2)}\n\`\`\``;
}
