import path from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { build, type Rollup } from "vite";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { projectRoot } from "../../scripts/launch/project-root.ts";
import { rails, routes } from "../../src/ui/app/routes.ts";

let chunks: Rollup.OutputChunk[];
beforeAll(async () => {
  // Otherwise the libraries are those of a development build.
  vi.stubEnv("NODE_ENV", "production");
  const built = await build({
    configFile: path.join(projectRoot, "vite.config.ts"),
    root: path.join(projectRoot, "src/ui"),
    logLevel: "error",
    mode: "production",
    build: { write: false },
  });
  const { output } = built as Rollup.RollupOutput;
  chunks = output.filter((file) => file.type === "chunk");
}, 300_000);
afterAll(() => vi.unstubAllEnvs());

/** The file that holds a module, by the end of its path. */
function chunkOf(module: string): Rollup.OutputChunk {
  const found = chunks.find(({ modules }) => Object.keys(modules).some((id) => id.endsWith(`/src/ui/${module}`)));
  if (!found) throw new Error(`no file holds ${module}`);
  return found;
}

/** What a browser loads before any of the modules runs: their files, and what these import. */
function loadedWith(...modules: string[]): Rollup.OutputChunk[] {
  const found = new Set<Rollup.OutputChunk>();
  const open = modules.map((module) => chunkOf(module));
  for (let chunk = open.pop(); chunk; chunk = open.pop()) {
    if (found.has(chunk)) continue;
    found.add(chunk);
    open.push(...chunk.imports.map((name) => chunks.find(({ fileName }) => fileName === name)!));
  }
  return [...found];
}

const sumOf = (files: Rollup.OutputChunk[], pack: (code: string) => Buffer): number =>
  files.reduce((sum, { code }) => sum + pack(code).length, 0);
/** The file of the page in a `load` of a route. */
const pageOf = (load: () => unknown): string => /features\/[\w/-]+\.svelte/.exec(load.toString())?.[0] ?? "";

describe("JavaScript of the first load, in bytes", () => {
  const composer = [
    "app/main.ts",
    "features/chat/ChatPage.svelte",
    "features/chat/ChatRail.svelte",
    "features/channels/ChannelRail.svelte",
    "features/chat/questions/attention.svelte.ts",
  ];

  test.each([
    ["the composer", composer, 140_000, 118_000],
    ["the sign-in page", ["app/main.ts", "features/sign-in/SignInPage.svelte"], 64_000, 55_000],
  ] as const)("%s stays within its budget, with gzip and with Brotli", (_name, modules, gzip, brotli) => {
    const files = loadedWith(...modules);
    expect(sumOf(files, (code) => gzipSync(code))).toBeLessThan(gzip);
    expect(sumOf(files, (code) => brotliCompressSync(code))).toBeLessThan(brotli);
    expect(sumOf(files, (code) => gzipSync(code))).toBeGreaterThan(gzip / 3);
  });
});

test("pages of people load nothing of the administration", () => {
  const own = routes.filter(({ area }) => area !== "admin" && area !== "bare");
  // They are in its folder and open for everyone with the right to them.
  const open =
    /features\/admin\/(plugins\/((import\/)?Own\w+|import\/ImportPage|Plugins?Page)|models\/ModelPage)\.svelte$/;
  expect(own.length).toBeGreaterThan(30);
  const odd = own.flatMap(({ path: address, area, load }) => {
    const page = pageOf(load);
    if (page === "") return [`${address}: its page is not known`];
    return loadedWith("app/main.ts", page, pageOf(area === "bare" ? rails.chat : rails[area]))
      .flatMap(({ modules }) => Object.keys(modules))
      .filter((id) => /features\/admin\/.+(Page|Rail)\.svelte$/.test(id) && !open.test(id))
      .map((id) => `${address} loads ${path.basename(id)}`);
  });
  expect(odd.slice(0, 5)).toEqual([]);
});
