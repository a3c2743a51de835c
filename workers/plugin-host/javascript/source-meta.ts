import type { JsonSchema, PluginType, ToolSpec } from "../../../src/plugins/plugin-host.ts";

/** How a parameter is filled: by its own name, or, if destructured, by each name in it. */
export type Parameter = { name: string } | { keys: string[]; rest: boolean };

/** The parser's metadata of a source, appended to the code as its last line. */
export interface SourceMeta {
  type: PluginType;
  /** `default`, or the name of the export. */
  exported: string;
  manifest: Record<string, string>;
  /** Of every public function. */
  parameters: Record<string, Parameter[]>;
  specs: ToolSpec[];
  valvesSchema: JsonSchema | null;
  userValvesSchema: JsonSchema | null;
}

/** The additional export names of valves classes. */
export const valvesExport = "__valves__";
export const userValvesExport = "__user_valves__";

const mark = "//# plugin=";

/** The code with its metadata appended as a comment. */
export function attachMeta(code: string, meta: SourceMeta): string {
  return `${code}\n${mark}${JSON.stringify(meta).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")}`;
}

/** @throws Error for code without metadata of `attachMeta` */
export function readMeta(code: string): SourceMeta {
  const at = code.lastIndexOf(`\n${mark}`);
  if (at < 0) throw new Error("The code of the plugin is damaged: save its source again");
  return JSON.parse(code.slice(at + 1 + mark.length)) as SourceMeta;
}
