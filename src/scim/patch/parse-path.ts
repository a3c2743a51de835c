import { FilterReader } from "../filter/filter-reader.ts";
import type { AttributeName, Filter } from "../filter/filter.ts";

/** `emails[type eq "work"].value`: attribute, filter and sub-attribute (in lower case). */
export interface Path {
  /** As the client sent it. */
  written: string;
  /** Of an extension: the whole name with its URN. */
  attribute: AttributeName;
  filter: Filter | null;
  sub: string | null;
}

/**
 * Parses a PATCH path (RFC 7644, section 3.5.2).
 * @throws ScimError `invalidPath` or, within its brackets, `invalidFilter`
 */
export function parsePath(written: string): Path {
  const reader = new FilterReader(written, "path");
  reader.skip(/\s*/y);
  const { name } = reader.name();
  const dot = name.startsWith("urn:") ? -1 : name.indexOf(".");
  let sub = dot < 0 ? null : name.slice(dot + 1);
  let filter: Filter | null = null;
  if (sub === null && reader.skip(/\[/y)) {
    filter = reader.elementFilter();
    if (reader.skip(/\./y)) {
      sub = reader.name().name;
      if (/[.:]/.test(sub)) throw reader.unexpected("a single sub-attribute before it");
    }
  }
  reader.end();
  return { written, attribute: { name: dot < 0 ? name : name.slice(0, dot), written }, filter, sub };
}

/** The URN of a core schema alone means the resource itself. */
export function isCoreSchema(text: string): boolean {
  return /^urn:(?:ietf:params:)?scim:schemas:core:\d\.\d(?::(?:user|group))?$/i.test(text);
}
