import { texts } from "./texts.ts";
import type { Dimension, UsageRow } from "./usage-api.ts";

/** A row of sums as the table shows it. */
export interface NamedRow {
  id: string;
  name: string;
  /** The id, where the name is one of its own. */
  note: string;
}

/** What a row stands for, in words. */
export function nameRow(row: UsageRow, by: Dimension): NamedRow {
  const words = texts.rows;
  const named = (id: string | undefined, name: string | null | undefined, none: string): NamedRow =>
    id === undefined || id === ""
      ? { id: "", name: none, note: "" }
      : { id, name: name ?? words.gone, note: name ? "" : id };
  const plain = (id: string | undefined): NamedRow => ({ id: id ?? "", name: id ?? "", note: "" });
  switch (by) {
    case "person":
      return named(row.user_id, row.user_name, words.nobody);
    case "group":
      return named(row.group_id, row.group_name, "");
    case "organization":
      return named(row.organization_id, row.organization_name, words.nobody);
    case "key":
      return named(row.key_id, row.key_name, words.noKey);
    case "connection":
      // Those of the environment have no row and no name but their id.
      return row.connection_id === ""
        ? named("", null, words.noConnection)
        : plain(row.connection_name ?? row.connection_id);
    case "api":
      return { id: row.api ?? "", name: texts.apis[row.api as keyof typeof texts.apis] ?? row.api ?? "", note: "" };
    case "base_model":
      return plain(row.base_model);
    case "model":
      return plain(row.model);
    case "day":
      return plain(row.day);
  }
}
