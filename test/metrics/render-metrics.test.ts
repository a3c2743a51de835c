import { describe, expect, test } from "vitest";
import { chooseFormat } from "../../src/lib/metrics/choose-format.ts";
import { gauge } from "../../src/lib/metrics/family.ts";
import { renderMetrics } from "../../src/lib/metrics/render-metrics.ts";
import { Counter, Histogram } from "../../src/lib/metrics/series.ts";
import { parseMetrics, sumOf } from "./parse-metrics.ts";

const owner = {};
const awkward = 'quote " backslash \\ line\nend';

function sample() {
  const counter = new Counter({ name: "parley_things", help: awkward, labels: ["what"] });
  counter.add(owner, [awkward]);
  counter.add(owner, [awkward], 2);
  counter.add(owner, ["plain"]);
  const histogram = new Histogram({ name: "parley_wait_seconds", unit: "seconds", help: "Wait", bounds: [0.5, 1, 10] });
  for (const value of [0.5, 0.7, 1, 11]) histogram.observe(owner, [], value);
  return [
    counter.collect(owner),
    histogram.collect(owner),
    gauge({ name: "parley_now", help: "Now" }, [[[], 1e21]]),
    {
      name: "parley_build",
      type: "info" as const,
      help: "Build",
      samples: [{ suffix: "_info" as const, labels: [["version", "1"]] as const, value: 1 }],
    },
  ];
}

test.each(["text", "openMetrics"] as const)("%s can be read back, with the awkward characters in it", (format) => {
  const families = parseMetrics(renderMetrics(sample(), format), format);
  expect(sumOf(families, "parley_things_total", { what: awkward })).toBe(3);
  expect(sumOf(families, "parley_things_total")).toBe(4);
  const bucket = (le: string) => sumOf(families, "parley_wait_seconds_bucket", { le });
  expect(["0.5", "1.0", "10.0", "+Inf"].map(bucket)).toEqual([1, 3, 3, 4]);
  expect(sumOf(families, "parley_wait_seconds_sum")).toBeCloseTo(13.2);
  expect(sumOf(families, "parley_now")).toBe(1e21);
  expect(sumOf(families, "parley_build_info", { version: "1" })).toBe(1);
});

test("each format has its own names of families", () => {
  const [text, open] = (["text", "openMetrics"] as const).map((format) => renderMetrics(sample(), format));
  expect(text).toContain("# TYPE parley_things_total counter\n");
  expect(text).toContain("# TYPE parley_build_info gauge\n");
  expect(text).not.toMatch(/# (?:UNIT|EOF)/);
  expect(open).toContain("# TYPE parley_things counter\n");
  expect(open).toContain("# TYPE parley_build info\n");
  expect(open).toContain("# TYPE parley_wait_seconds histogram\n# UNIT parley_wait_seconds seconds\n");
});

test("the strict reader refuses what is wrong", () => {
  const good = renderMetrics(sample(), "openMetrics");
  for (const [from, to] of [
    ["# EOF\n", ""],
    ['parley_things_total{what="plain"} 1', 'parley_things{what="plain"} 1'],
    ['parley_things_total{what="plain"} 1', 'parley_things_total{what="plain"} 1\nparley_things_total{what="plain"} 1'],
    ['le="+Inf"} 4', 'le="+Inf"} 5'],
    ["UNIT parley_wait_seconds seconds", "UNIT parley_wait_seconds bytes"],
    ["parley_now 1e+21", "parley_now NaN"],
  ] as const) {
    expect(good).toContain(from);
    expect(() => parseMetrics(good.replace(from, to), "openMetrics")).toThrow();
  }
});

describe("numbers", () => {
  test("belong to one owner", () => {
    const counter = new Counter({ name: "parley_things", help: "Things" });
    counter.add(owner, []);
    expect(counter.collect({}).samples).toEqual([]);
    expect(counter.collect(owner).samples).toHaveLength(1);
  });

  test("have a bounded number of series: the rest counts as other", () => {
    const counter = new Counter({ name: "parley_things", help: "Things", labels: ["a", "b"], maxSeries: 10 });
    for (let at = 0; at < 1000; at++) counter.add(owner, [`a${at}`, `b${at}`]);
    const { samples } = counter.collect(owner);
    expect(samples).toHaveLength(11);
    expect(samples.at(-1)).toEqual({
      suffix: "_total",
      labels: [
        ["a", "other"],
        ["b", "other"],
      ],
      value: 990,
    });
  });
});

test.each([
  [null, "text"],
  ["", "text"],
  ["*/*", "text"],
  ["text/html", "text"],
  ["text/plain;version=0.0.4", "text"],
  ["application/openmetrics-text", "openMetrics"],
  ["application/openmetrics-text; version=1.0.0; charset=utf-8", "openMetrics"],
  ['Application/OpenMetrics-Text; Version="1.0.0"', "openMetrics"],
  ["application/openmetrics-text;version=0.0.1", "text"],
  ["application/openmetrics-text;version=1.0.0;q=0", "text"],
  ["application/openmetrics-text;version=1.0.0;q=0.2,text/plain;q=0.8", "text"],
  // Prometheus 2 and 3.
  [
    "application/openmetrics-text;version=1.0.0;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2",
    "openMetrics",
  ],
  [
    "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2",
    "openMetrics",
  ],
])("Accept: %s gives %s", (accept, format) => expect(chooseFormat(accept)).toBe(format));
