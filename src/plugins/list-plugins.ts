import { requireUser } from "../access.ts";
import type { Context } from "../context.ts";
import { loadSnapshot } from "../models/catalog/catalog-snapshot.ts";
import { findReadable, findWritable, mayRead, mayWrite } from "./find-plugin.ts";
import { functionView, toolView } from "./plugin-view.ts";
import type { FunctionView, ToolView } from "./schema.ts";
import { listToolServers } from "./tool-servers/list-tool-servers.ts";

/** All functions for administrators, those that are switched on for others; without sources. No round trip when warm. */
export async function listFunctions(ctx: Context): Promise<FunctionView[]> {
  const user = requireUser(ctx);
  const { plugins } = await loadSnapshot(ctx);
  return plugins
    .filter((entry) => entry.family === "function" && mayRead(user, entry, []))
    .map((entry) => functionView(entry));
}

/** The tools that the caller may use, without sources. No round trip when warm. */
export async function listTools(ctx: Context): Promise<ToolView[]> {
  const user = requireUser(ctx);
  const { plugins, toolGrants } = await loadSnapshot(ctx);
  return plugins.flatMap((entry) => {
    const given = toolGrants.get(entry.id) ?? [];
    if (entry.family !== "tool" || !mayRead(user, entry, given)) return [];
    return [toolView(entry, given, mayWrite(user, entry, given))];
  });
}

/** The same with the functions of other servers: all that the caller may choose for a chat. */
export async function listUsableTools(ctx: Context) {
  const [tools, servers] = [await listTools(ctx), await listToolServers(ctx)];
  return [...tools, ...servers];
}

/** With its source. @throws AppError `forbidden`, `not_found`. */
export async function getFunction(ctx: Context, id: string): Promise<FunctionView> {
  const { entry, source } = await findWritable(ctx, "function", id);
  return functionView(entry, source);
}

/** With its source where the caller may change it. @throws AppError `not_found`. */
export async function getTool(ctx: Context, id: string): Promise<ToolView> {
  const { entry, source, grants, canWrite } = await findReadable(ctx, "tool", id, true);
  return toolView(entry, grants, canWrite, canWrite ? source : undefined);
}
