/**
 * Packages that every Python plugin has, by their normalized names, with their versions: the wheels of
 * workers/plugin-host/python/wheels (test/plugins/built-in-wheels.test.ts compares them).
 */
export const builtInPackages: Readonly<Record<string, string>> = {
  aiohappyeyeballs: "2.7.1",
  aiohttp: "3.14.5",
  aiosignal: "1.4.0",
  "annotated-types": "0.8.0",
  anyio: "4.16.0",
  attrs: "26.1.0",
  certifi: "2026.10.19.post1",
  "charset-normalizer": "3.5.2",
  frozenlist: "1.8.0",
  h11: "0.16.0",
  httpcore: "1.0.9",
  httpx: "0.28.1",
  idna: "3.20",
  multidict: "7.2.1",
  propcache: "0.5.4",
  pydantic: "2.14.3",
  "pydantic-core": "2.50.4",
  pyyaml: "6.0.4",
  requests: "2.34.2",
  sniffio: "1.3.1",
  "typing-extensions": "4.16.0",
  "typing-inspection": "0.4.5",
  urllib3: "2.8.0",
  websockets: "17.4",
  yarl: "1.25.1",
};

/**
 * Compiled packages for which Python plugins have code of ours with what is most used of them, where no real one runs here (DISTRIBUTIONS
 * in workers/plugin-host/python/harness/finder.py).
 */
export const compiledStandIns: Readonly<Record<string, string>> = {
  cryptography: "46.0.0",
  orjson: "3.11.8",
  "rpds-py": "0.30.0",
};

/** Packages that reach the network through what is built in below them: another one never takes their place (harness/finder.py). */
export const pinnedPackages: ReadonlySet<string> = new Set([
  "requests",
  "httpx",
  "aiohttp",
  "urllib3",
  "open-webui",
  "httpx2-jsfetch",
]);

/** Top-level modules of the built-in packages, by which package. */
const builtInModules: Readonly<Record<string, string>> = Object.fromEntries([
  ...Object.keys(builtInPackages).map((name) => [name.replaceAll("-", "_"), name]),
  ["yaml", "pyyaml"],
  ["_yaml", "pyyaml"],
  ["attr", "attrs"],
  ["open_webui", "open-webui"],
]);

/** A module of a built-in package that a package of another name would take the place of. */
export function findTakenModule(
  name: string,
  modules: readonly string[],
): { module: string; owner: string } | undefined {
  for (const each of modules) {
    const module = each.split(".")[0]!;
    const owner = builtInModules[module];
    if (owner !== undefined && owner !== name) return { module, owner };
  }
  return undefined;
}
