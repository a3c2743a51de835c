import { transform } from "sucrase";
import type { SourceProblem } from "../../../src/plugins/plugin-host.ts";
import { type Analysis, analyseSource } from "./analyse-source.ts";
import { attachMeta, userValvesExport, valvesExport } from "./source-meta.ts";
import { findLoading } from "./syntax.ts";

/** A JavaScript or TypeScript source as isolates run it: types stripped, every line where it was, its facts behind it. */
export function compileSource(source: string): { code: string | undefined; problems: SourceProblem[] } {
  const problems: SourceProblem[] = [];
  try {
    const analysis = analyseSource(source);
    problems.push(...analysis.problems);
    const code = analysis.meta && stripTypes(source, analysis);
    if (code === undefined) return { code, problems };
    // There is nothing to load in an isolate but the platform's own modules, which let things go on when a call is over, and the
    // harness. What is looked at is what will run: types may be imports too.
    const imports = findLoading(code);
    const message = "import() is not available: a JavaScript plugin must be a single file";
    problems.push(
      ...imports.map(({ line, column }) => ({ severity: "error" as const, message, line, column: column + 1 })),
    );
    return { code: imports.length > 0 ? undefined : attachMeta(code, analysis.meta!), problems };
  } catch (error) {
    const { message } = error as Error;
    const isDeep = error instanceof RangeError;
    problems.push({ severity: "error", message: isDeep ? "It is nested too deep" : message });
    return { code: undefined, problems };
  }
}

function stripTypes(source: string, { hasValves, hasUserValves }: Analysis): string {
  const { code } = transform(source, { transforms: ["typescript"], disableESTransforms: true });
  const exported = [
    ...(hasValves ? [`Valves as ${valvesExport}`] : []),
    ...(hasUserValves ? [`UserValves as ${userValvesExport}`] : []),
  ];
  return exported.length > 0 ? `${code}\nexport { ${exported.join(", ")} };` : code;
}
