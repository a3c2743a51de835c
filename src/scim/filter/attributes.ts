import type { SQL } from "drizzle-orm";

/**
 * The attributes that a filter may compare, by lower-case names without core URN. Single values of a complex attribute
 * are nested: `name: {type: "complex", attributes: {givenname: ...}}` is `name.givenName`.
 */
export type AttributeTypes = Readonly<Record<string, AttributeType>>;

export type AttributeType =
  /** Also references. `caseExact: false` ignores the case of A to Z (what SQLite's `lower` does), of no other letter. */
  | { type: "string"; caseExact: boolean }
  | { type: "boolean" }
  /** In a resource: ISO 8601. */
  | { type: "dateTime" }
  | { type: "complex"; attributes: AttributeTypes }
  /** A list of complex values; comparing the list itself (`emails co "x"`) means its `value`. */
  | { type: "multi"; attributes: AttributeTypes };

/** The same with the location of the values in the database. It is also an `AttributeTypes`. */
export type FilterAttributes = Readonly<Record<string, FilterAttribute>>;

/** Applies a condition to each place of the value; used instead of `column` if there are several. */
export type Over = (holds: (column: SQL) => SQL) => SQL;

export type FilterAttribute =
  /** `lowered`: the column never holds A to Z, so it needs no `lower()` (and its own index serves). */
  | { type: "string"; caseExact: boolean; column: SQL; lowered?: boolean }
  /**
   * A text that is in one of several places, or in rows of another table. `over` gets a condition over a text (never negated: "is
   * not" is the whole turned round) and says where it must hold. With `caseExact: false` the columns must be in lower case already, e.g.
   * `(holds) => sql`(user_name IS NOT NULL AND ${holds(sql`lower(user_name)`)}) OR (user_name IS NULL AND ${holds(sql`email`)})``.
   */
  | { type: "string"; caseExact: boolean; over: Over }
  /** 0, 1 or null. */
  | { type: "boolean"; column: SQL }
  /** Epoch seconds or null. */
  | { type: "dateTime"; column: SQL }
  | { type: "complex"; attributes: FilterAttributes }
  /** `EXISTS (SELECT 1 FROM <from> WHERE <where> AND ...)`; the sub-attributes' columns are those of `from`. */
  | { type: "multi"; from: SQL; where?: SQL; attributes: FilterAttributes };
