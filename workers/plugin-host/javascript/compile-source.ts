import { transform } from "sucrase";
import type { SourceProblem } from "../../../src/plugins/plugin-host.ts";
import { analyseSource } from "./analyse-source.ts";
import { attachMeta, userValvesExport, valvesExport } from "./source-meta.ts";

/** A JavaScript or TypeScript source as isolates run it: types stripped, every line where it was, its facts behind it. */
export function compileSource(source: string): { code: string | undefined; problems: SourceProblem[] } {
  const { meta, hasValves, hasUserValves, problems } = analyseSource(source);
  if (!meta) return { code: undefined, problems };
  const exported = [
    ...(hasValves ? [`Valves as ${valvesExport}`] : []),
    ...(hasUserValves ? [`UserValves as ${userValvesExport}`] : []),
  ];
  try {
    const { code } = transform(source, { transforms: ["typescript"], disableESTransforms: true });
    const module = exported.length > 0 ? `${code}\nexport { ${exported.join(", ")} };` : code;
    return { code: attachMeta(module, meta), problems };
  } catch (error) {
    return { code: undefined, problems: [...problems, { severity: "error", message: (error as Error).message }] };
  }
}
