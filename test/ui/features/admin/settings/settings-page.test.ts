import { describe, expect, test } from "vitest";
import { definitions } from "../../../../../src/compose/settings.ts";
import type { Definition } from "../../../../../src/settings/definition.ts";
import { settingSections } from "../../../../../src/settings/schema.ts";
import { readIds, writeIds } from "../../../../../src/ui/features/admin/settings/picked-ids.ts";
import { matchesSearch, sectionsOf } from "../../../../../src/ui/features/admin/settings/section-list.ts";
import { texts } from "../../../../../src/ui/features/admin/settings/texts.ts";

/** Those that this page shows: the others have pages of their own. */
const all = Object.entries<Definition>(definitions).filter(([, { section }]) => !(section in texts.elsewhere));

describe("the page of settings", () => {
  test("has a title and a sentence for every section", () => {
    expect(settingSections.filter((name) => !texts.sections[name]?.title || !texts.sections[name].sub)).toEqual([]);
    expect(Object.keys(texts.sections).toSorted()).toEqual([...settingSections].toSorted());
  });

  test("has words for everything that can be chosen", () => {
    const choices = all
      .filter(([, { where }]) => where === "anywhere")
      .flatMap(([name, { options = [] }]) => options.map((option) => [`${name}:${option}`, option] as const));
    expect(choices.length).toBeGreaterThan(5);
    expect(choices.filter(([own, option]) => !texts.choices[own] && !texts.choices[option])).toEqual([]);
  });

  test("lists sections in their order, and none that is empty", () => {
    const settings = ["service", "general", "chat"].map((section) => ({ section }) as never);
    expect(sectionsOf(settings).map(({ name }) => name)).toEqual(["general", "chat", "service"]);
  });

  test("asks for no id: what holds one says of what", () => {
    const ofThings =
      /\b(model|group|organization|connection)s? IDs?\b|\bIDs? of (a|an|the) (model|group|organization|connection)/i;
    const unsaid = all.filter(
      ([, { description, picks, where }]) => where === "anywhere" && ofThings.test(description) && !picks,
    );
    expect(unsaid.map(([name]) => name)).toEqual([]);
    expect(all.filter(([, { picks }]) => picks).length).toBeGreaterThan(2);
  });

  test("finds settings by title, description, variable and section", () => {
    const setting = { title: "Session lifetime", description: "How long people stay in.", name: "JWT_EXPIRES_IN" };
    for (const query of ["", "lifetime", "LIFE sess", "stay", "jwt_exp", "expires in", "accounts life"])
      expect([query, matchesSearch(setting, "Accounts", query)]).toEqual([query, true]);
    expect(matchesSearch(setting, "Accounts", "lifetime models")).toBe(false);
  });

  test("reads and writes ids as the setting holds them", () => {
    expect(readIds(" a, b,,a ")).toEqual(["a", "b"]);
    expect(readIds(["a", " b "])).toEqual(["a", "b"]);
    expect(readIds(undefined)).toEqual([]);
    expect(writeIds({ type: "text" }, ["a", "b"])).toBe("a,b");
    expect(writeIds({ type: "list" }, ["a", "b"])).toEqual(["a", "b"]);
  });
});
