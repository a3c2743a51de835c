import { settingSections } from "../../../../settings/schema.ts";
import type { Setting } from "./settings.ts";

export interface Section {
  name: string;
  settings: Setting[];
}

/** The sections that have settings, in the order of the page. Pure. */
export function sectionsOf(settings: readonly Setting[]): Section[] {
  return settingSections
    .map((name) => ({ name, settings: settings.filter((setting) => setting.section === name) }))
    .filter((section) => section.settings.length > 0);
}

/**
 * Whether a search finds a setting: each word is in its title, its description, its name as a variable, or the title of its
 * section. An empty search finds all. Pure.
 */
export function matchesSearch(
  { title, description, name }: Pick<Setting, "title" | "description" | "name">,
  section: string,
  query: string,
): boolean {
  const text = `${title} ${description} ${name} ${name.replaceAll("_", " ")} ${section}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
