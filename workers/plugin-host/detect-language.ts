import type { PluginLanguage } from "../../src/plugins/plugin-host.ts";

// Spaces are those of one line: what could be matched from every line on to the end would take for ever in a source of blank lines.
const python = [
  /^(?:async[ \t]+)?def[ \t]+\w+[ \t]*\(/m,
  /^[ \t]+(?:async[ \t]+)?def[ \t]+\w+[ \t]*\([ \t]*self\b/m,
  /^class[ \t]+\w+[ \t]*(?:\([^)]{0,500}\))?[ \t]*:/m,
  /^from[ \t]+[\w.]+[ \t]+import[ \t]/m,
  /^import[ \t]+[\w.]+(?:[ \t]+as[ \t]+\w+)?(?:[ \t]*,[ \t]*[\w.]+)*[ \t]*(?:#.*)?$/m,
  /^\uFEFF?\s*(?:"""|''')/,
];

const javascript = [
  /^export[ \t]+(?:default|class|const|let|var|function|async|abstract|\{|type|interface)/m,
  /^import\b[^\n"'#]*["']/m,
  /^(?:const|let|interface|type|function)[ \t]+\w+/m,
  /^(?:export[ \t]+(?:default[ \t]+)?)?(?:abstract[ \t]+)?class[ \t]+\w*[^:\n]*\{/m,
  /^\uFEFF?\s*\/[*/]/,
];

/** Detects the language by line beginnings that exist in only one of them; the default is JavaScript. */
export function detectLanguage(source: string): PluginLanguage {
  const count = (patterns: readonly RegExp[]) => patterns.filter((pattern) => pattern.test(source)).length;
  return count(python) > count(javascript) ? "python" : "javascript";
}
