/** Types of texts by the ends of names. What cannot be told from the content: all of these are text. */
const types: Record<string, string> = {
  "text/plain": "txt text log out err lst nfo srt sub",
  "text/markdown": "md markdown mdown mkd mdx qmd rmd",
  "text/html": "html htm xhtml shtml",
  "text/csv": "csv",
  "text/tab-separated-values": "tsv tab",
  "application/json": "json json5 jsonc geojson webmanifest har",
  "application/x-ndjson": "jsonl ndjson",
  "application/x-ipynb+json": "ipynb",
  "application/xml":
    "xml xsd xsl xslt rss atom kml gpx plist wsdl opml dtd resx xaml csproj vbproj graphml musicxml tmx xliff xlf",
  "image/svg+xml": "svg",
  "message/rfc822": "eml",
  "application/mbox": "mbox",
  "application/yaml": "yaml yml",
  "application/toml": "toml",
  "text/calendar": "ics ical",
  "text/vcard": "vcf",
  "text/vtt": "vtt",
  "text/x-rst": "rst",
  "text/x-asciidoc": "adoc asciidoc",
  "text/x-org": "org",
  "text/x-tex": "tex latex sty bib",
  "text/css": "css scss sass less",
  "text/javascript": "js mjs cjs jsx",
  "text/x-typescript": "ts mts cts tsx",
  "text/x-python": "py pyi pyw",
  "text/x-c": "c h",
  "text/x-c++": "cpp cc cxx hpp hh hxx ino",
  "text/x-csharp": "cs",
  "text/x-java": "java",
  "text/x-kotlin": "kt kts",
  "text/x-scala": "scala sbt",
  "text/x-swift": "swift",
  "text/x-objectivec": "m mm",
  "text/x-go": "go",
  "text/x-rust": "rs",
  "text/x-ruby": "rb rake gemspec",
  "text/x-php": "php phtml",
  "text/x-perl": "pl pm",
  "text/x-lua": "lua",
  "text/x-r": "r",
  "text/x-julia": "jl",
  "text/x-haskell": "hs lhs",
  "text/x-erlang": "erl hrl",
  "text/x-elixir": "ex exs",
  "text/x-clojure": "clj cljs cljc edn",
  "text/x-lisp": "lisp el scm rkt",
  "text/x-ocaml": "ml mli fs fsx",
  "text/x-dart": "dart",
  "text/x-zig": "zig",
  "text/x-sql": "sql",
  "text/x-shellscript": "sh bash zsh fish ksh",
  "text/x-powershell": "ps1 psm1 psd1",
  "text/x-batch": "bat cmd",
  "text/x-assembly": "asm s",
  "text/x-fortran": "f f90 f95 for",
  "text/x-pascal": "pas dpr",
  "text/x-vb": "vb vbs bas",
  "text/x-groovy": "groovy gradle",
  "text/x-svelte": "svelte",
  "text/x-vue": "vue",
  "text/x-graphql": "graphql gql",
  "text/x-proto": "proto",
  "text/x-terraform": "tf tfvars hcl",
  "text/x-nix": "nix",
  "text/x-cmake": "cmake",
  "text/x-makefile": "mk mak",
  "text/x-diff": "diff patch",
  "text/x-ini": "ini cfg conf properties env editorconfig gitignore",
};

const byExtension = new Map(
  Object.entries(types).flatMap(([type, extensions]) => extensions.split(" ").map((each) => [each, type] as const)),
);

/** Names that say what they are without an end. */
const byName = new Map([
  ["makefile", "text/x-makefile"],
  ["dockerfile", "text/x-dockerfile"],
  ["containerfile", "text/x-dockerfile"],
  ["gemfile", "text/x-ruby"],
  ["rakefile", "text/x-ruby"],
  ["readme", "text/plain"],
  ["license", "text/plain"],
]);

/** What a text is by the name of its file; undefined where that says nothing. */
export function textTypeOf(filename: string): string | undefined {
  const name = (/[^/\\]*$/.exec(filename)?.[0] ?? "").toLowerCase();
  const dot = name.lastIndexOf(".");
  return (dot === -1 ? undefined : byExtension.get(name.slice(dot + 1))) ?? byName.get(name);
}

/** Whether these lines are lines of code, or of data, in which `# this` is no heading and `| that` no table. */
export function isPlainType(contentType: string): boolean {
  return contentType.startsWith("text/x-") || plainTypes.has(contentType);
}

const plainTypes = new Set([
  "application/json",
  "application/x-ndjson",
  "application/xml",
  "image/svg+xml",
  "application/yaml",
  "application/toml",
  "text/css",
  "text/javascript",
  "text/calendar",
  "text/vcard",
  "text/vtt",
]);

/** All types of texts that names can tell, and those of texts that are like them. */
export const textTypes: readonly string[] = [...new Set([...Object.keys(types), ...byName.values()])];
