import { secondsOf, textOf } from "../read-values.ts";
import type { Reader, Row, Translated } from "../row-source.ts";
import { hasTable } from "../rows-in-order.ts";
import { given, idOf, timesOf } from "./common-fields.ts";

/** API keys, which the source has in the clear: in a table of their own, in older versions in a column of the person. */
export const keysReader: Reader = {
  name: "keys",
  tables: ["api_key"],
  async *read({ source }) {
    if (await hasTable(source, "api_key"))
      for await (const row of source.rows("api_key", "id"))
        yield translate(row, idOf(row), idOf(row, "user_id"), "key");
    if ((await source.columns("user")).has("api_key"))
      for await (const row of source.rows("user", "id"))
        if (textOf(row, "api_key") !== undefined)
          yield translate({ ...row, created_at: undefined }, idOf(row), idOf(row), "api_key");
  },
};

function translate(row: Row, id: string | undefined, person: string | undefined, column: string): Translated {
  const secret = textOf(row, column);
  if (id === undefined || person === undefined || secret === undefined || secret.length > 1000)
    return { leftOut: { kind: "api_key", id: id ?? "", reason: "It has no owner or no secret" } };
  const { created_at } = timesOf(row);
  return {
    record: {
      kind: "api_key",
      id,
      person_id: person,
      secret,
      name: "Open WebUI",
      ...given({ created_at, expires_at: secondsOf(row, "expires_at"), last_used_at: secondsOf(row, "last_used_at") }),
    },
  };
}
