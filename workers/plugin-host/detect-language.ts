import type { PluginLanguage } from "../../src/plugins/plugin-host.ts";

const python = [
  /^(?:async\s+)?def\s+\w+\s*\(/m,
  /^\s+(?:async\s+)?def\s+\w+\s*\(self\b/m,
  /^class\s+\w+\s*(?:\([^)]*\))?\s*:/m,
  /^from\s+[\w.]+\s+import\s/m,
  /^import\s+[\w.]+(?:\s+as\s+\w+)?(?:\s*,\s*[\w.]+)*\s*(?:#.*)?$/m,
  /^\uFEFF?\s*(?:"""|''')/,
];

const javascript = [
  /^export\s+(?:default|class|const|let|var|function|async|abstract|\{|type|interface)/m,
  /^(?:import\s.*\sfrom\s|import\s*)["']/m,
  /^(?:const|let|interface|type|function)\s+\w+/m,
  /^(?:export\s+(?:default\s+)?)?(?:abstract\s+)?class\s+\w*[^:\n]*\{/m,
  /^\uFEFF?\s*\/[*/]/,
];

/** By what only one of the languages has at the beginning of a line; a source that shows nothing is JavaScript. */
export function detectLanguage(source: string): PluginLanguage {
  const count = (patterns: readonly RegExp[]) => patterns.filter((pattern) => pattern.test(source)).length;
  return count(python) > count(javascript) ? "python" : "javascript";
}
