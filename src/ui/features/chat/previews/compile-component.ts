import { transform } from "sucrase";

/** What a component's source is in a frame, or why it cannot be read. */
export type Compiled = { code: string } | { error: string };

/**
 * Compiles JSX and types away, and modules to CommonJS; lines stay where they are. A source without a default export
 * shows its last component, as people write examples.
 */
export function compileComponent(source: string): Compiled {
  try {
    const { code } = transform(source, {
      transforms: ["jsx", "typescript", "imports"],
      jsxRuntime: "automatic",
      production: true,
      filePath: "answer.jsx",
    });
    const last = [...source.matchAll(/^(?:export\s+)?(?:async\s+)?(?:function|class|const|let)\s+([A-Z]\w*)/gmu)].at(
      -1,
    )?.[1];
    const shown = last === undefined ? "" : `\nif (exports.default === undefined) exports.default = ${last};`;
    const isMounted = /\bcreateRoot\s*\(|\bReactDOM\.render\s*\(/u.test(source);
    return { code: isMounted ? code : code + shown };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
