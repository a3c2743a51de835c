import { explainError } from "../../../components/explain-error.ts";
import { toApiError } from "../../../lib/api-error.ts";
import { createPlugin, type Family, type PluginDraft } from "./plugins-api.ts";
import { texts } from "./texts.ts";

/** Reads a file of exported plugins, of this service or of the peer: a list of them, or one. @throws Error in words for people */
export function readPluginFile(text: string): PluginDraft[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new Error(texts.importNotList);
  }
  const list = Array.isArray(parsed) ? parsed : [parsed];
  return list.map((entry: unknown) => {
    // The peer's community wraps what it offers.
    const { function: wrapped, tool, ...bare } = (entry ?? {}) as Record<string, unknown>;
    const plugin = (wrapped ?? tool ?? bare) as Record<string, unknown>;
    const { id, name, content, meta, hosts } = plugin;
    if (typeof content !== "string" || typeof id !== "string") throw new Error(texts.importNotList);
    return {
      id,
      name: typeof name === "string" ? name : id,
      content,
      meta: { description: "", ...(meta as object | undefined) },
      hosts: Array.isArray(hosts) ? hosts.filter((host) => typeof host === "string") : [],
    };
  });
}

/** Makes them one after another; what fails does not keep the others out. */
export async function importPlugins(
  family: Family,
  drafts: readonly PluginDraft[],
): Promise<{ made: number; failures: string[] }> {
  const failures: string[] = [];
  for (const draft of drafts) {
    try {
      await createPlugin(family, draft);
    } catch (cause) {
      failures.push(`${draft.name}: ${explainError(toApiError(cause))}`);
    }
  }
  return { made: drafts.length - failures.length, failures };
}
