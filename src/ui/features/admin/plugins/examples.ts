import type { Family } from "./plugins-api.ts";

export interface Example {
  /** `title` of its first comment. */
  name: string;
  description: string;
  language: "javascript" | "python";
  family: Family;
  /** Hosts that it says it fetches from. */
  hosts: string[];
  content: string;
}

/** Example plugins of a family, TypeScript first. */
export async function loadExamples(family: Family): Promise<Example[]> {
  const { exampleFiles } = await import("./example-files.ts");
  return Object.entries(exampleFiles)
    .map(([path, content]) => readExample(path, content))
    .filter((example) => example.family === family)
    .toSorted((one, other) => one.language.localeCompare(other.language) || one.name.localeCompare(other.name));
}

/** Reads what the first comment of a source says: `key: value` lines. */
export function readExample(path: string, content: string): Example {
  const comment = /^\s*(?:"""|'''|\/\*\*?)([\s\S]*?)(?:"""|'''|\*\/)/.exec(content)?.[1] ?? "";
  const said = (key: string): string => new RegExp(`^[\\s*]*${key}:[ \\t]*(.+?)\\s*$`, "m").exec(comment)?.[1] ?? "";
  return {
    name: said("title") || path.replace(/^.*\//, ""),
    description: said("description"),
    language: path.endsWith(".py") ? "python" : "javascript",
    family: /^(export\s+(default\s+)?)?class\s+Tools\b/m.test(content) ? "tool" : "function",
    hosts: said("hosts")
      .split(",")
      .map((host) => host.trim())
      .filter((host) => host !== ""),
    content,
  };
}
