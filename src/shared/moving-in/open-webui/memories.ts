import { textOf } from "../read-values.ts";
import type { Reader } from "../row-source.ts";
import { hasTable } from "../rows-in-order.ts";
import { timesOf } from "./knowledge.ts";

const maxLength = 200_000;

export const memoriesReader: Reader = {
  name: "memories",
  tables: ["memory"],
  async *read({ source }) {
    if (!(await hasTable(source, "memory"))) return;
    for await (const row of source.rows("memory")) {
      const id = textOf(row, "id");
      if (id === undefined) continue;
      const personId = textOf(row, "user_id");
      const content = textOf(row, "content")?.trim() ?? "";
      const reason = personId === undefined ? "It has no owner" : content === "" ? "It has no text" : undefined;
      if (reason !== undefined || personId === undefined) {
        yield { leftOut: { kind: "memory", id, reason: reason! } };
        continue;
      }
      const notes = content.length > maxLength ? ["Its text was too long: it was cut"] : [];
      yield {
        record: {
          kind: "memory",
          id,
          person_id: personId,
          content: content.slice(0, maxLength),
          type: textOf(row, "type") === "user" ? "user" : "context",
          path: textOf(row, "path") ?? null,
          notes,
          ...timesOf(row),
        },
      };
    }
  },
};
