import path from "node:path";
import process from "node:process";
import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig, type TestProjectConfiguration } from "vitest/config";
import { LongestFirst } from "./test/longest-first.ts";
import { memoryFolder } from "./test/memory-folder.ts";
import { measuringLanes } from "./test/run-order.ts";
import { wasmModules } from "./test/wasm-modules.ts";

// All runners and what they start take it over.
process.env["TMPDIR"] = memoryFolder();
/** Hundreds of accounts in started services: at the usual cost their passwords took a tenth of the processor time of those tests. */
process.env["PASSWORD_COST"] = "10";

/** Two cores are what a small machine and CI have; more workers only make each other's time limits fail. */
const maxWorkers = 2;
/** For what hangs, milliseconds: no test is to fail because the machine has something else to do. */
const testTimeout = 60_000;
const hookTimeout = 90_000;
/** The same for states that tests wait for; vitest's own limit is one second. */
const expect = { poll: { timeout: 30_000, interval: 30 } };
/** For what other processes do, which all wait for the same two cores. */
const expectOutside = { poll: { timeout: 60_000, interval: 30 } };

/** As in the extractor: WebAssembly, not the native build of it that packages bring for Node. */
const resolve = { alias: { mdream: path.resolve("node_modules/mdream/dist/edge.mjs") } };
/** The library for PDFs has state that our code around it knows of: both are loaded together, also in a process that had them before. */
const server = { deps: { inline: [/[\\/]mdream[\\/]/, /[\\/]liteparse-wasm[\\/]/] } };

/** They take a quarter of the time of all tests in Node, so `npm test` runs them beside the others. */
const python = ["test/plugins/python/**/*.test.ts"];

const measuring = measuringLanes.flat();

/** Tests in Node, against libSQL files. */
const inNode = (name: string, include: string[], exclude: string[]): TestProjectConfiguration => ({
  plugins: [wasmModules()],
  resolve,
  test: {
    name,
    server,
    include,
    exclude,
    // Files share what they import, as requests share an isolate: loading it for each took most of the time.
    isolate: false,
    environment: "node",
    globalSetup: ["test/start-parser.ts"],
    testTimeout,
    hookTimeout,
    expect,
  },
});

export default defineConfig({
  test: {
    maxWorkers,
    sequence: { sequencer: LongestFirst },
    passWithNoTests: true,
    projects: [
      inNode(
        "node",
        ["test/**/*.test.ts"],
        ["test/runtime/**", "test/stack/**", "test/browser/**", ...python, ...measuring],
      ),
      inNode("python", python, measuring),
      {
        plugins: [
          cloudflareTest(({ inject }) => ({
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: {
              bindings: inject("runtimeBindings"),
              serviceBindings: {
                TRUSTED: { network: { allow: ["public", "private"], deny: [] } },
                // Plugins run in test/plugins and test/stack, in the processes that the launcher gives them.
                EXTRACTOR: () => new Response(null, { status: 502 }),
                PASSWORDS: () => new Response(null, { status: 502 }),
                PLUGIN_HOST: () => new Response(null, { status: 502 }),
              },
            },
          })),
        ],
        test: {
          name: "runtime",
          include: ["test/runtime/**/*.test.ts"],
          globalSetup: ["test/runtime/start-database.ts", "test/runtime/start-upstream.ts"],
          testTimeout,
          hookTimeout,
          expect,
        },
      },
      {
        test: {
          name: "stack",
          include: ["test/stack/**/*.test.ts"],
          exclude: measuring,
          isolate: false,
          environment: "node",
          testTimeout: 2 * testTimeout,
          hookTimeout: 2 * hookTimeout,
          expect: expectOutside,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          globalSetup: ["test/browser/shared-folder.ts"],
          isolate: false,
          environment: "node",
          testTimeout: 2 * testTimeout,
          hookTimeout: 2 * hookTimeout,
          expect: expectOutside,
          fileParallelism: false,
        },
      },
      {
        plugins: [wasmModules()],
        resolve,
        test: {
          name: "alone",
          server,
          include: measuring,
          globalSetup: ["test/start-parser.ts"],
          environment: "node",
          testTimeout: 2 * testTimeout,
          hookTimeout: 2 * hookTimeout,
          expect: expectOutside,
          fileParallelism: false,
        },
      },
    ],
  },
});
