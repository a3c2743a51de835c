import type { PluginHost } from "../../../src/plugins/plugin-host.ts";
import { compile } from "../call-source.ts";

/**
 * The code of a source that loads modules. Such sources are refused: with this it is seen what isolates and processes are good for by
 * themselves, if one slipped through. @throws Error with its problems
 */
export async function smuggle(host: PluginHost, source: string): Promise<string> {
  const code = await compile(host, source.replaceAll("import(", "load_module("));
  return code.replaceAll("load_module(", "import(");
}
