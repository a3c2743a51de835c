import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { runtimeConfigText } from "../../scripts/launch/runtime-config.ts";
import type { RuntimePlan } from "../../scripts/launch/runtime-plan.ts";
import { readHeaderRules, readUiFiles } from "../../scripts/launch/ui-files.ts";
import { compileConfig, quote } from "../../scripts/launch/workerd/compile-config.ts";

const folder = mkdtempSync(path.join(tmpdir(), "runtime-config-"));
afterAll(() => rmSync(folder, { recursive: true }));

const main = path.join(folder, "main.js");
writeFileSync(main, "export default {};");
const plan: RuntimePlan = {
  service: {
    name: "parley",
    modulesRoot: folder,
    modules: [{ type: "ESModule", path: main }],
    crons: [],
    workerFirst: [],
    options: {
      compatibilityDate: "2026-11-01",
      compatibilityFlags: ["nodejs_compat", "enable_request_signal"],
      durableObjects: { HUB: { className: "Hub", useSQLite: true } },
      r2Buckets: { BLOBS: { id: "files" } },
      queueProducers: { READ_QUEUE: { queueName: "to-read" } },
    },
  },
  machine: main,
  assets: folder,
  host: "127.0.0.1",
  port: 1,
  state: folder,
  scratch: folder,
  sockets: { EXTRACTOR: "/tmp/extractor.sock" },
  asideProvider: null,
  bindings: { DB_URL: "http://127.0.0.1:2" },
  output: "",
};
const authorities = { trustBrowserCas: true as const, trustedCertificates: [] };
const write = (changes: Partial<RuntimePlan> = {}, settings = {}) =>
  runtimeConfigText({ ...plan, ...changes }, settings, { files: {}, headers: [] }, authorities);
const namesIn = (text: string, pattern: RegExp) => new Set([...text.matchAll(pattern)].map(([, name]) => name));

test.each([
  ["a service", {}],
  ["a copy that stands aside", { asideProvider: "127.0.0.1:3" }],
])("%s has three isolates, and nothing that nobody reaches", (_, changes) => {
  const text = write(changes);
  expect(text.match(/worker = \(/g)).toHaveLength(3);
  const defined = namesIn(text, /\(name = "([\w:]+)", (?:worker|disk|external|network) = /g);
  const reached = namesIn(
    text,
    /(?:service|globalOutbound|serviceName|localDisk) = "([\w:]+)"|(?:service|globalOutbound|r2Bucket) = \(name = "([\w:]+)"/g,
  );
  if (text.includes(`(name = "machine", entrypoint`)) reached.add("machine");
  reached.delete(undefined);
  expect([...defined].filter((name) => !reached.has(name))).toEqual([]);
  expect([...reached].filter((name) => !defined.has(name))).toEqual([]);
});

test("workerd reads it, with settings of any characters", async () => {
  const odd = `"quoted" \\ \\u0041 line\nbreak \u0001 ünï 🙂`;
  const compiled = await compileConfig(path.join(folder, "config.capnp"), write({}, { WEBUI_NAME: odd }));
  expect(compiled.includes(odd)).toBe(true);
});

test("control characters are written as Cap'n Proto reads them", () => {
  expect(quote(`\u0001\\u0001"`)).toBe(String.raw`"\x01\\u0001\""`);
});

test("names in folders of data are those of every version before", () => {
  const text = write();
  expect(text).toContain(`className = "Hub", uniqueKey = "parley-Hub", enableSql = true`);
  expect(text).toContain(`uniqueKey = "miniflare-R2BucketObject"`);
  expect(text).toContain(
    `r2Bucket = (name = "machine", entrypoint = "Bucket", props = (json = ${quote('{"bucket":"files"}')}))`,
  );
});

test("where nothing may leave, neither the service nor its way out has a network", () => {
  const text = write({ asideProvider: "127.0.0.1:3" });
  expect(text).not.toContain(`(name = "NET"`);
  expect(text).toContain(`(name = "TRUSTED", service = (name = "machine", entrypoint = "Aside"))`);
});

test("files of the UI have their types and marks of their content, and the rules of _headers", () => {
  const ui = path.join(folder, "ui");
  mkdirSync(path.join(ui, "assets"), { recursive: true });
  writeFileSync(path.join(ui, "index.html"), "<p>");
  writeFileSync(path.join(ui, "assets/one.js"), "1");
  writeFileSync(path.join(ui, "assets/same.js"), "1");
  writeFileSync(path.join(ui, "assets/chat-1aB_-xyZ.js"), "1");
  writeFileSync(path.join(ui, "_headers"), "/*\n  X-One: a: b\n");
  const { files, headers } = readUiFiles(ui);
  expect(Object.keys(files).toSorted()).toEqual([
    "/assets/chat-1aB_-xyZ.js",
    "/assets/one.js",
    "/assets/same.js",
    "/index.html",
  ]);
  // Its name says what is in it.
  writeFileSync(path.join(ui, "assets/chat-1aB_-xyZ.js"), "other");
  writeFileSync(path.join(ui, "assets/one.js"), "other");
  const later = readUiFiles(ui).files;
  expect(later["/assets/chat-1aB_-xyZ.js"]).toEqual(files["/assets/chat-1aB_-xyZ.js"]);
  expect(later["/assets/one.js"]!.etag).not.toBe(files["/assets/one.js"]!.etag);
  expect(files["/index.html"]!.type).toBe("text/html; charset=utf-8");
  expect(files["/assets/one.js"]).toEqual(files["/assets/same.js"]);
  expect(files["/assets/one.js"]!.etag).not.toBe(files["/index.html"]!.etag);
  expect(headers).toEqual([{ path: "/*", unset: [], set: [["x-one", "a: b"]] }]);
});

test("rules of _headers remove and set", () => {
  expect(readHeaderRules("# said\n/a*\n  ! X-Gone\n  # and\n  X-Set: 1\n\n/b\n  X-Set: 2\n")).toEqual([
    { path: "/a*", unset: ["x-gone"], set: [["x-set", "1"]] },
    { path: "/b", unset: [], set: [["x-set", "2"]] },
  ]);
});
