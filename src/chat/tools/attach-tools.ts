import type { Context } from "../../context.ts";
import { attachToolServers } from "../../plugins/tool-servers/attach-tool-servers.ts";
import type { AttachedTool, Attachment } from "../../plugins/tool.ts";
import { attachPluginTools, type PluginToolScope } from "./attach-plugin-tools.ts";
import { withUniqueNames } from "./unique-names.ts";

/** Maximum number of tools for one answer; providers reject more. */
const maxTools = 128;
/** Maximum number of ids in a request. */
const maxIds = 100;

export interface WantedTools {
  /** `tool_ids` of the request: ids of tools, `server:<id>`, `server:mcp:<id>`. If undefined, the model's own apply. */
  toolIds: readonly string[] | undefined;
  /** `meta.toolIds` of the stored model. */
  modelToolIds: readonly string[];
  /** Tools of the service itself, which come first. */
  builtIn: readonly AttachedTool[];
}

const nothing: Attachment = { tools: [], notes: [], close: () => undefined };

/**
 * The tools of a turn: those of the request (also an empty list), otherwise those of the model. Tools that are unknown,
 * not accessible or not reachable are left out, and a note mentions those that the request named. Without tools this
 * costs nothing.
 */
export async function attachTools(ctx: Context, wanted: WantedTools, scope: PluginToolScope): Promise<Attachment> {
  const ids = [...new Set(wanted.toolIds ?? wanted.modelToolIds)];
  if (ids.length === 0) return wanted.builtIn.length > 0 ? { ...nothing, tools: [...wanted.builtIn] } : nothing;
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
  const all = withUniqueNames([...wanted.builtIn, ...plugins.tools, ...servers.tools]);
  const tools: AttachedTool[] = all.slice(0, maxTools);
  const notes = [
    // Anyone who shared the model chose its tools: that one is not for this person is nothing for them to act on.
    ...(wanted.toolIds ? [...plugins.notes, ...servers.notes] : servers.notes),
    ...(all.length > maxTools ? [`Only the first ${maxTools} of ${all.length} tools are offered to the model.`] : []),
    ...(ids.length > maxIds ? [`Only the first ${maxIds} of ${ids.length} selected tools are used.`] : []),
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
