import type { AttachedTool } from "../../plugins/tool.ts";

const maxLength = 64;

/**
 * The tools with unique names that providers accept: of two with the same name, the later is prefixed with the id of
 * its plugin or server (as in Open WebUI), and numbered if that is not enough.
 */
export function withUniqueNames(tools: readonly AttachedTool[]): AttachedTool[] {
  const taken = new Set<string>();
  return tools.map((tool) => {
    const { spec, source } = tool;
    const plain = clean(spec.name);
    const name = [plain, clean(`${source.id}_${plain}`)].find((each) => !taken.has(each)) ?? numbered(plain, taken);
    taken.add(name);
    return name === spec.name ? tool : { ...tool, spec: { ...spec, name } };
  });
}

function clean(name: string): string {
  const plain = name.replaceAll(/[^a-zA-Z0-9_-]/g, "_").slice(0, maxLength);
  return plain === "" ? "tool" : plain;
}

function numbered(name: string, taken: ReadonlySet<string>): string {
  for (let at = 2; ; at += 1) {
    const end = `_${at}`;
    const next = name.slice(0, maxLength - end.length) + end;
    if (!taken.has(next)) return next;
  }
}
