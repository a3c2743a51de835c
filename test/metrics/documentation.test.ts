import { afterAll, beforeAll, expect, test } from "vitest";
import yaml from "yaml";
import { readText } from "../docs/read-blocks.ts";
import { createMetricsWorld, type MetricsWorld } from "./metrics-world.ts";
import { type ParsedFamily, sampleNames } from "./parse-metrics.ts";

let world: MetricsWorld;
let families: ParsedFamily[];
beforeAll(async () => {
  world = await createMetricsWorld();
  families = await world.scrape();
});
afterAll(() => world.close());

/** Names of metrics in a text. */
const namesIn = (text: string) => [...new Set(text.match(/\b(?:parley|process)_[a-z_]+[a-z]\b/g) ?? [])];

test("docs/metrics.md has every metric with its type and labels, and no other", () => {
  const text = readText("docs/metrics.md");
  const rows = [
    ...text.matchAll(/^\| `(\w+)` \| (\w+)(?: \((\w+)\))? \|([^|]*)\| (service|database|machine) \| (.+) \|$/gm),
  ];
  const documented = new Map(rows.map((row) => [row[1]!, row]));
  expect([...documented.keys()].toSorted()).toEqual(families.map(({ name }) => name).toSorted());
  for (const { name, type, samples } of families) {
    const [, , shownType, , labels = ""] = documented.get(name)!;
    expect(shownType, name).toBe(type);
    const named = [...labels.matchAll(/`(\w+)`/g)].map((match) => match[1]);
    for (const sample of samples) {
      const { le: _, ...used } = sample.labels;
      expect(Object.keys(used), name).toEqual(named);
    }
  }
  const known = new Set([...sampleNames(families), ...families.map(({ name }) => name)]);
  expect(namesIn(text).filter((name) => !known.has(name))).toEqual([]);
});

test("the dashboard is JSON that names only metrics that there are", () => {
  const text = readText("docs/monitoring/dashboard.json");
  const { panels } = JSON.parse(text) as { panels: { id: number; targets?: { expr: string }[] }[] };
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  expect(expressions.length).toBeGreaterThan(30);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  for (const expression of expressions) expect(isBalanced(expression), expression).toBe(true);
  const known = new Set(sampleNames(families));
  expect(expressions.flatMap(namesIn).filter((name) => !known.has(name))).toEqual([]);
  // And shows them all.
  const shown = new Set(expressions.flatMap(namesIn));
  expect(
    families.filter(
      ({ name, type }) => !(type === "histogram" ? [`${name}_bucket`] : [name]).some((each) => shown.has(each)),
    ),
  ).toEqual([]);
});

test("the alerts are YAML that names only metrics that there are", () => {
  const { groups } = yaml.parse(readText("docs/monitoring/alerts.yml")) as {
    groups: { name: string; rules: { alert: string; expr: string; annotations: { summary: string } }[] }[];
  };
  const rules = groups.flatMap((group) => group.rules);
  expect(rules.length).toBeGreaterThan(8);
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  const known = new Set([...sampleNames(families), "up"]);
  for (const { alert, expr, annotations } of rules) {
    expect(isBalanced(expr), alert).toBe(true);
    const named = [...namesIn(expr), ...(/\bup\{/.test(expr) ? ["up"] : [])];
    expect(named.length, alert).toBeGreaterThan(0);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
    expect(annotations.summary, alert).toMatch(/\S/);
  }
});

function isBalanced(expression: string): boolean {
  const open: string[] = [];
  for (const sign of expression.replaceAll(/"[^"]*"/g, "")) {
    if ("([{".includes(sign)) open.push(sign);
    else if (")]}".includes(sign) && open.pop() !== "([{"[")]}".indexOf(sign)]) return false;
  }
  return open.length === 0;
}
