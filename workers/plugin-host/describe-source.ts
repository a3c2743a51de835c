import type { Described, PluginPackage } from "../../src/plugins/plugin-host.ts";
import { detectLanguage } from "./detect-language.ts";
import type { HostEnv } from "./env.ts";
import type { Isolate, IsolateDescription } from "./isolate.ts";
import { compileSource } from "./javascript/compile-source.ts";
import { parseUntrusted } from "./parse-untrusted.ts";
import { workerCode } from "./worker-code.ts";

/** Longest description of a source, in characters of JSON, and most problems that it may have: somebody is to read them. */
const maxLength = 1_000_000;
const maxProblems = 100;

/** Compiles a source and loads it once, without network, in an isolate that is discarded. */
export async function describeSource(env: HostEnv, source: string, packages: PluginPackage[]): Promise<Described> {
  const language = detectLanguage(source);
  const { code, problems } = language === "python" ? { code: source, problems: [] } : compileSource(source);
  if (code === undefined) return { code, info: undefined, problems: problems.slice(0, maxProblems) };
  try {
    const worker = env.LOADER.load(await workerCode(env, language, { code, valves: {}, packages }, null));
    const isolate = worker.getEntrypoint() as unknown as Isolate;
    const text = await isolate.describe();
    // It would stay until memory is collected. One that ends itself gives no answer.
    if (language === "python") await isolate.end().catch(() => undefined);
    if (text.length > maxLength) throw new Error("the descriptions of its manifest, valves and functions are too long");
    const { info, problems: more } = parseUntrusted(text) as IsolateDescription;
    return { code: info && code, info, problems: [...problems, ...more].slice(0, maxProblems) };
  } catch (error) {
    const message = `It could not be loaded: ${(error as Error).message}`;
    return { code: undefined, info: undefined, problems: [...problems, { severity: "error", message }] };
  }
}
