import { transform } from "sucrase";
import type { SourceProblem } from "../../../src/plugins/plugin-host.ts";
import { type Analysis, analyseSource } from "./analyse-source.ts";
import { attachMeta, type SourceMeta, userValvesExport, valvesExport } from "./source-meta.ts";

/** A JavaScript or TypeScript source as isolates run it: types stripped, every line where it was, its facts behind it. */
export function compileSource(source: string): { code: string | undefined; problems: SourceProblem[] } {
  const problems: SourceProblem[] = [];
  try {
    const analysis = analyseSource(source);
    problems.push(...analysis.problems);
    return { code: analysis.meta && stripTypes(source, analysis, analysis.meta), problems };
  } catch (error) {
    const { message } = error as Error;
    const isDeep = error instanceof RangeError;
    problems.push({ severity: "error", message: isDeep ? "It is nested too deep to be read" : message });
    return { code: undefined, problems };
  }
}

function stripTypes(source: string, { hasValves, hasUserValves }: Analysis, meta: SourceMeta): string {
  const { code } = transform(source, { transforms: ["typescript"], disableESTransforms: true });
  const exported = [
    ...(hasValves ? [`Valves as ${valvesExport}`] : []),
    ...(hasUserValves ? [`UserValves as ${userValvesExport}`] : []),
  ];
  return attachMeta(exported.length > 0 ? `${code}\nexport { ${exported.join(", ")} };` : code, meta);
}
