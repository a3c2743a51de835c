import type { Described, PluginPackage } from "../../src/plugins/plugin-host.ts";
import { detectLanguage } from "./detect-language.ts";
import type { HostEnv } from "./env.ts";
import type { Isolate, IsolateDescription } from "./isolate.ts";
import { compileSource } from "./javascript/compile-source.ts";
import { parseUntrusted } from "./parse-untrusted.ts";
import { workerCode } from "./worker-code.ts";

/** Compiles a source and loads it once, without any network, in an isolate that is thrown away. */
export async function describeSource(env: HostEnv, source: string, packages: PluginPackage[]): Promise<Described> {
  const language = detectLanguage(source);
  const { code, problems } = language === "python" ? { code: source, problems: [] } : compileSource(source);
  if (code === undefined) return { code, info: undefined, problems };
  try {
    const isolate = env.LOADER.load(await workerCode(env, language, { code, valves: {}, packages }, null));
    const text = await (isolate.getEntrypoint() as unknown as Isolate).describe();
    const { info, problems: more } = parseUntrusted(text) as IsolateDescription;
    return { code: info && code, info, problems: [...problems, ...more] };
  } catch (error) {
    const message = `It does not load: ${(error as Error).message}`;
    return { code: undefined, info: undefined, problems: [...problems, { severity: "error", message }] };
  }
}
