/** A parsed JSDoc comment. */
export interface DocComment {
  /** What stands before the first tag. */
  description: string;
  params: ReadonlyMap<string, DocParam>;
  /** Every other tag with the text behind it, the last one of its name. */
  tags: ReadonlyMap<string, string>;
}

export interface DocParam {
  /** What stands in braces. */
  type: string | undefined;
  description: string;
  /** In brackets, or with a type that ends with `=`. */
  optional: boolean;
  default: string | undefined;
}

/** @param comment without its delimiters, as parsers return it */
export function readDocComment(comment: string): DocComment {
  const lines = comment.split("\n").map((line) => line.replace(/^\s*\*? ?/, "").trimEnd());
  const blocks: string[] = [""];
  for (const line of lines) {
    // Several short tags may stand in one line; the text of a parameter may name a tag.
    if (/^@(?:param|arg)/.test(line)) blocks.push(line);
    else if (/^@[a-z]/i.test(line)) blocks.push(...line.split(/\s+(?=@[a-z])/i));
    else blocks[blocks.length - 1] += `\n${line}`;
  }
  const params = new Map<string, DocParam>();
  const tags = new Map<string, string>();
  for (const block of blocks.slice(1)) {
    const [, tag = "", text = ""] = /^@(\w+)\s*([\s\S]*)$/.exec(block) ?? [];
    const param = tag === "param" || tag === "arg" || tag === "argument" ? readParam(text) : undefined;
    if (param) params.set(param.name, param);
    else tags.set(tag, text.trim());
  }
  return { description: (blocks[0] ?? "").trim(), params, tags };
}

function readParam(text: string): (DocParam & { name: string }) | undefined {
  const { type, rest } = readBraces(text.trim());
  const found = /^(?:\[\s*([\w$.]+)\s*(?:=\s*([^\]]*?)\s*)?\]|([\w$.]+))\s*(?:-\s*)?([\s\S]*)$/.exec(rest);
  const name = found?.[1] ?? found?.[3];
  if (!found || name === undefined) return undefined;
  const isOptional = found[1] !== undefined || type?.endsWith("=") === true;
  return {
    name,
    type: type?.replace(/=$/, ""),
    description: (found[4] ?? "").replaceAll(/\s*\n\s*/g, " ").trim(),
    optional: isOptional,
    default: found[2],
  };
}

/** The text in the braces at the beginning of a tag, if they are balanced. */
export function readBraces(text: string): { type: string | undefined; rest: string } {
  if (!text.startsWith("{")) return { type: undefined, rest: text };
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "{") depth++;
    if (text[at] === "}" && --depth === 0) return { type: text.slice(1, at).trim(), rest: text.slice(at + 1).trim() };
  }
  return { type: undefined, rest: text };
}

const frontmatterLine = /^\s*\*?\s*([a-z][a-z_]*)\s*:\s*(.*?)\s*$/i;

/** `key: value` lines of the block comment at the beginning of a source; the last line with a key wins. */
export function readFrontmatter(source: string): Record<string, string> {
  const comment = /^\uFEFF?\s*\/\*([\s\S]*?)\*\//.exec(source)?.[1] ?? "";
  const found = comment.split("\n").map((line) => frontmatterLine.exec(line));
  return Object.fromEntries(found.flatMap((match) => (match ? [[match[1]!.toLowerCase(), match[2]!]] : [])));
}
