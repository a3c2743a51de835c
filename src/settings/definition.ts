import type * as z from "zod";
import type { pickedThings, settingSections } from "./schema.ts";

/** One setting: where it may come from, its type and its texts for people. */
export interface Definition {
  schema: z.ZodType;
  default: unknown;
  where: "environment" | "anywhere";
  section: (typeof settingSections)[number];
  type: "boolean" | "text" | "number" | "choice" | "list";
  options?: readonly string[];
  /** Its text holds the id of such a thing; with `many` ids in order, separated by commas where the type is text. */
  picks?: { what: (typeof pickedThings)[number]; many?: true };
  /** Of a list in a variable; a semicolon otherwise. */
  separator?: ",";
  title: string;
  description: string;
  /** Older or foreign names of the same variable. */
  aliases?: readonly string[];
  /** Never shown, never logged. */
  secret?: boolean;
  /** What the audit says of a value that holds a secret somewhere inside. */
  audited?: (value: unknown) => unknown;
  /** Others that the environment has to name too where it switches this one on. */
  requires?: readonly string[];
}

/** A valid value of the setting, described for messages. */
export function expected(definition: Definition): string {
  switch (definition.type) {
    case "boolean":
      return "true or false";
    case "number":
      return "a whole number";
    case "choice":
      return `one of ${definition.options!.join(", ")}`;
    case "list":
      return `a list: ${definition.description}`;
    default:
      return definition.description;
  }
}
