import * as z from "zod";
import { kinds } from "../../src/imports/kinds.ts";
import { table } from "./table.ts";

type Shape = { type?: string; format?: string; enum?: unknown[]; anyOf?: Shape[]; items?: Shape; const?: unknown };

/** Fields that say what the sender has changed: exports of Parley have none of them, or `left`. */
const ofSender = new Set(["kind", "notes"]);

/** Every kind of record with its fields and their types, as the import takes them. */
export function recordTable(): string {
  const rows = [...kinds].map(([kind, { shape }]) => {
    const schema = z.toJSONSchema(shape, { io: "input", unrepresentable: "any" });
    const required = new Set(schema.required);
    const fields = Object.entries(schema.properties ?? {}).filter(([name]) => !ofSender.has(name));
    const named = (isRequired: boolean) =>
      fields
        .filter(([name]) => required.has(name) === isRequired)
        .map(([name, field]) => `\`${name}\`${typeOf(field as Shape)}`)
        .join(", ");
    return [`\`${kind}\``, named(true), named(false)];
  });
  return table(["kind", "always there", "may be there"], rows);
}

/** In brackets behind a name; nothing for text. */
function typeOf(field: Shape): string {
  const name = nameOf(field);
  return name === "text" || name === "" ? "" : ` (${name})`;
}

function nameOf({ type, enum: values, anyOf, items }: Shape): string {
  if (values) return values.join(", ");
  if (anyOf) return [...new Set(anyOf.map(nameOf).filter((name) => name !== "" && name !== "nothing"))].join(" or ");
  switch (type) {
    case "string":
      return "text";
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "true or false";
    case "array":
      return items && nameOf(items) !== "" && nameOf(items) !== "text" ? `list of: ${nameOf(items)}` : "list";
    case "object":
      return "object";
    case "null":
      return "nothing";
    default:
      return "";
  }
}
