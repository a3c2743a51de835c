import { expect, test } from "vitest";
import { compileSource } from "../../../workers/plugin-host/javascript/compile-source.ts";
import { workerCode } from "../../../workers/plugin-host/worker-code.ts";

test("an isolate has no network of its own, and a bound of processor time for each call", async () => {
  const { code = "" } = compileSource("export class Tools { hello() { return 1; } }");
  const made = await workerCode({} as never, "javascript", { code, valves: {}, packages: [] }, null);
  expect(made).toMatchObject({ globalOutbound: null, limits: { cpuMs: 30_000 } });
});
