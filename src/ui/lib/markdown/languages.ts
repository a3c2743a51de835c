import type { LanguageFn } from "highlight.js";

type Load = () => Promise<{ default: LanguageFn }>;

/** Grammars by the name people write after the fence; each is a file of its own, fetched when first needed. */
const languages: Record<string, { load: Load; names: string }> = {
  bash: { load: () => import("highlight.js/lib/languages/bash"), names: "bash sh shell zsh console shellsession" },
  c: { load: () => import("highlight.js/lib/languages/c"), names: "c h" },
  cpp: { load: () => import("highlight.js/lib/languages/cpp"), names: "cpp c++ cc hpp cxx" },
  csharp: { load: () => import("highlight.js/lib/languages/csharp"), names: "csharp cs c#" },
  css: { load: () => import("highlight.js/lib/languages/css"), names: "css" },
  dart: { load: () => import("highlight.js/lib/languages/dart"), names: "dart" },
  diff: { load: () => import("highlight.js/lib/languages/diff"), names: "diff patch" },
  dockerfile: { load: () => import("highlight.js/lib/languages/dockerfile"), names: "dockerfile docker" },
  elixir: { load: () => import("highlight.js/lib/languages/elixir"), names: "elixir ex exs" },
  go: { load: () => import("highlight.js/lib/languages/go"), names: "go golang" },
  graphql: { load: () => import("highlight.js/lib/languages/graphql"), names: "graphql gql" },
  haskell: { load: () => import("highlight.js/lib/languages/haskell"), names: "haskell hs" },
  ini: { load: () => import("highlight.js/lib/languages/ini"), names: "ini toml conf env properties" },
  java: { load: () => import("highlight.js/lib/languages/java"), names: "java" },
  javascript: { load: () => import("highlight.js/lib/languages/javascript"), names: "javascript js jsx mjs cjs" },
  json: { load: () => import("highlight.js/lib/languages/json"), names: "json jsonc json5" },
  kotlin: { load: () => import("highlight.js/lib/languages/kotlin"), names: "kotlin kt kts" },
  latex: { load: () => import("highlight.js/lib/languages/latex"), names: "latex tex" },
  lua: { load: () => import("highlight.js/lib/languages/lua"), names: "lua" },
  makefile: { load: () => import("highlight.js/lib/languages/makefile"), names: "makefile make mk" },
  markdown: { load: () => import("highlight.js/lib/languages/markdown"), names: "markdown md" },
  matlab: { load: () => import("highlight.js/lib/languages/matlab"), names: "matlab octave" },
  nginx: { load: () => import("highlight.js/lib/languages/nginx"), names: "nginx" },
  perl: { load: () => import("highlight.js/lib/languages/perl"), names: "perl pl" },
  php: { load: () => import("highlight.js/lib/languages/php"), names: "php" },
  powershell: { load: () => import("highlight.js/lib/languages/powershell"), names: "powershell ps1 pwsh" },
  protobuf: { load: () => import("highlight.js/lib/languages/protobuf"), names: "protobuf proto" },
  python: { load: () => import("highlight.js/lib/languages/python"), names: "python py python3 pyi" },
  r: { load: () => import("highlight.js/lib/languages/r"), names: "r" },
  ruby: { load: () => import("highlight.js/lib/languages/ruby"), names: "ruby rb" },
  rust: { load: () => import("highlight.js/lib/languages/rust"), names: "rust rs" },
  scala: { load: () => import("highlight.js/lib/languages/scala"), names: "scala" },
  scss: { load: () => import("highlight.js/lib/languages/scss"), names: "scss sass less" },
  sql: {
    load: () => import("highlight.js/lib/languages/sql"),
    names: "sql sqlite mysql postgres postgresql plsql tsql",
  },
  swift: { load: () => import("highlight.js/lib/languages/swift"), names: "swift" },
  typescript: { load: () => import("highlight.js/lib/languages/typescript"), names: "typescript ts tsx mts cts" },
  xml: { load: () => import("highlight.js/lib/languages/xml"), names: "xml html xhtml svg vue svelte plist rss" },
  yaml: { load: () => import("highlight.js/lib/languages/yaml"), names: "yaml yml" },
};

/** The grammar for what stands after a fence, whatever its case; undefined for a language without one. */
export function findLanguage(label: string): { name: string; load: Load } | undefined {
  const wanted = label.toLowerCase();
  for (const [name, { load, names }] of Object.entries(languages)) {
    if (names.split(" ").includes(wanted)) return { name, load };
  }
  return undefined;
}
