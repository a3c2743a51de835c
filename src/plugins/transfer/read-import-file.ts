import { isRecord, tryParseJson } from "../../lib/json.ts";

/** A source with what came with it. */
export interface ImportedSource {
  /** Its id in an export; undefined for a file that is the source itself. */
  item: string | undefined;
  name: string;
  content: string;
  description: string | undefined;
  /** What an export says that it may reach; people approve it again. */
  hosts: string[];
  valves: Record<string, unknown> | null;
}

/** Where exports keep what they hold: those of this service, of Open WebUI, and of its community's pages. */
const wrappers = ["functions", "tools", "function", "tool", "items", "data"];
const maxDepth = 4;

/**
 * The sources in a file: itself, or those of an export. JSON without any is an empty list.
 * @param name of the file or its address
 */
export function readImportFile(name: string, text: string): ImportedSource[] {
  const parsed = /^\s*[[{]/.test(text) ? tryParseJson(text) : undefined;
  if (parsed === undefined)
    return [{ item: undefined, name: plainName(name), content: text, description: undefined, hosts: [], valves: null }];
  return findSources(parsed, 0);
}

function findSources(value: unknown, depth: number): ImportedSource[] {
  if (depth > maxDepth) return [];
  if (Array.isArray(value)) return value.flatMap((each) => findSources(each, depth + 1));
  if (!isRecord(value)) return [];
  const { id, name, content, meta, hosts, valves } = value;
  if (typeof content === "string" && content.trim() !== "") {
    const item = typeof id === "string" ? id : undefined;
    const description = isRecord(meta) ? meta["description"] : undefined;
    return [
      {
        item,
        name: typeof name === "string" && name.trim() !== "" ? name.trim() : (item ?? ""),
        content,
        description: typeof description === "string" ? description : undefined,
        hosts: Array.isArray(hosts) ? hosts.filter((host) => typeof host === "string") : [],
        valves: isRecord(valves) ? valves : null,
      },
    ];
  }
  return wrappers.flatMap((key) => findSources(value[key], depth + 1));
}

function plainName(name: string): string {
  return name.replace(/\.(py|ts|mts|js|mjs|txt|json)$/i, "").slice(0, 100);
}

/** An id out of a name: its letters and digits, the rest underscores. */
export function idFrom(name: string): string {
  const id = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^[_\d]+|_+$/g, "");
  return id.slice(0, 100) || "plugin";
}
