import { describe, expect, test } from "vitest";
import { findRoute, routes } from "../../../../src/ui/app/routes.ts";
import { adminGroups, groupsFor, isPageOf, overviewPage } from "../../../../src/ui/features/admin/admin-pages.ts";
import { texts } from "../../../../src/ui/features/admin/texts.ts";
import { places } from "../../../../src/ui/features/help/pages.ts";
import { readText } from "../../../docs/read-blocks.ts";

const all = [overviewPage, ...adminGroups.flatMap(({ pages }) => [...pages])];

describe("pages of the administration", () => {
  test("are in five groups, each once, with their names and the rights of their routes", () => {
    expect(adminGroups.map(({ name }) => texts.groups[name])).toEqual([
      "People",
      "Models",
      "Workspace",
      "Integrations",
      "System",
    ]);
    expect(new Set(all.map(({ href }) => href)).size).toBe(all.length);
    expect(all.map(({ name }) => name).toSorted()).toEqual(Object.keys(texts.pages).toSorted());
    expect(all.filter(({ href, access }) => findRoute(href)?.route.access !== access)).toEqual([]);
  });

  test("are all there: every route of the administration belongs to one of them", () => {
    const paths = routes.filter(({ area }) => area === "admin").map(({ path }) => path);
    expect(paths.length).toBeGreaterThan(25);
    expect(paths.filter((path) => !all.some((page) => isPageOf(page, path)))).toEqual([]);
  });

  test("administrators of an organization see theirs, and no empty group", () => {
    const seen = groupsFor(false);
    expect(seen.flatMap(({ pages }) => pages.map(({ access }) => access)).every((access) => access === "manager")).toBe(
      true,
    );
    expect(seen.every(({ pages }) => pages.length > 0)).toBe(true);
    expect(groupsFor(true)).toHaveLength(5);
  });

  test("are called in the documentation as in the rail, and Help leads there", () => {
    const named = Object.entries(places).filter(([place]) => place.startsWith("Admin > "));
    expect(named.length).toBeGreaterThan(20);
    const inRail = new Map(all.map(({ href, name }) => [`Admin > ${texts.pages[name]}`, href]));
    expect(named.filter(([place, href]) => inRail.get(place) !== href)).toEqual([]);
    const offered = all.filter(({ isBelow }) => !isBelow).map(({ name }) => `Admin > ${texts.pages[name]}`);
    expect(offered.filter((place) => places[place] === undefined)).toEqual([]);
  });

  test("stand in the first steps with their groups", () => {
    const text = readText("docs/start.md");
    for (const { name, pages } of adminGroups) {
      const inRail = pages.filter(({ isBelow }) => !isBelow);
      const row = inRail.map((page) => `**Admin > ${texts.pages[page.name]}**`).join(", ");
      expect(text).toContain(`| ${texts.groups[name]} | ${row} |`);
    }
  });
});
