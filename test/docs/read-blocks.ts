import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

export const root = path.resolve(import.meta.dirname, "../..");

/** A fenced block of a page. */
export interface Block {
  /** Path from the root, with the line of the fence. */
  at: string;
  language: string;
  /** What a comment in the line before says of it: `run`, `answer`, `env`, `setting: NAME`, `plugin: tool`. */
  mark: string;
  text: string;
}

/** The Markdown files of a folder, by path from the root. */
export function listPages(folder: string): string[] {
  return readdirSync(path.join(root, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => path.posix.join(folder, name));
}

export function readText(file: string): string {
  return readFileSync(path.join(root, file), "utf8");
}

export function readBlocks(file: string): Block[] {
  const blocks: Block[] = [];
  const lines = readText(file).split("\n");
  let open: Block | undefined;
  for (const [index, line] of lines.entries()) {
    const fence = /^```(\w*)/.exec(line);
    if (open && fence) {
      blocks.push(open);
      open = undefined;
    } else if (open) open.text += `${line}\n`;
    else if (fence) {
      const mark = /^<!-- (.*) -->$/.exec(lines[index - 1] ?? "")?.[1] ?? "";
      open = { at: `${file}:${index + 1}`, language: fence[1] ?? "", mark, text: "" };
    }
  }
  return blocks;
}
