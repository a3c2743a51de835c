import type { Context } from "../../context.ts";
import { attachToolServers } from "../../plugins/tool-servers/attach-tool-servers.ts";
import type { AttachedTool, Attachment } from "../../plugins/tool.ts";
import { attachPluginTools, type PluginToolScope } from "./attach-plugin-tools.ts";
import { withUniqueNames } from "./unique-names.ts";

/** Tools that one answer may be offered; providers refuse more. */
const maxTools = 128;
/** Ids of one request. */
const maxIds = 100;

export interface WantedTools {
  /** `tool_ids` of the request: ids of tools, `server:<id>`, `server:mcp:<id>`. Where the request says nothing, the model's own count. */
  toolIds: readonly string[] | undefined;
  /** `meta.toolIds` of the stored model. */
  modelToolIds: readonly string[];
}

const nothing: Attachment = { tools: [], notes: [], close: () => undefined };

/**
 * The tools of a turn: what the request names, also if that is nothing, else what the model has. What is unknown, not for
 * the caller, or cannot be reached is no error: the answer is made without it, and for what the request itself named a note
 * says so. Nothing wanted costs nothing.
 */
export async function attachTools(ctx: Context, wanted: WantedTools, scope: PluginToolScope): Promise<Attachment> {
  const ids = [...new Set(wanted.toolIds ?? wanted.modelToolIds)];
  if (ids.length === 0) return nothing;
  const taken = ids.slice(0, maxIds);
  const isServer = (id: string): boolean => id.startsWith("server:");
  const [plugins, servers] = await Promise.all([
    attachPluginTools(
      ctx,
      taken.filter((id) => !isServer(id)),
      scope,
    ),
    attachToolServers(ctx, taken.filter(isServer)),
  ]);
  const all = withUniqueNames([...plugins.tools, ...servers.tools]);
  const tools: AttachedTool[] = all.slice(0, maxTools);
  const notes = [
    // Whoever shared the model chose its tools: that one is not for this person is nothing for them to act on.
    ...(wanted.toolIds ? [...plugins.notes, ...servers.notes] : servers.notes),
    ...(all.length > maxTools ? [`Only the first ${maxTools} of ${all.length} tools are offered to the model.`] : []),
    ...(ids.length > maxIds ? [`Only the first ${maxIds} of ${ids.length} chosen tools are looked at.`] : []),
  ];
  return {
    tools,
    notes,
    close() {
      plugins.close();
      servers.close();
    },
  };
}
