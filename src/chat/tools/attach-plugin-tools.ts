import { requireUser, type User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { isRecord } from "../../lib/json.ts";
import { loadSnapshot, type Snapshot } from "../../models/catalog/catalog-snapshot.ts";
import { mayRead } from "../../plugins/find-plugin.ts";
import { openPlugin } from "../../plugins/open-plugin.ts";
import type { PluginSession, ToolSpec } from "../../plugins/plugin-host.ts";
import { isForeign, type PluginEntry } from "../../plugins/plugin-index.ts";
import type { AttachedTool, Attachment, ToolOutcome, ToolScope } from "../../plugins/tool.ts";
import { loadUserValves } from "../../plugins/user-valves.ts";
import { allowancesOf } from "../functions/afterwards.ts";
import { bareModelView } from "../functions/reserved.ts";
import { joinValues, readToolValue } from "./tool-value.ts";

/** Maximum total length of a generator's values, in UTF-16 units; other results are limited by their source. */
const maxResultLength = 16_000_000;

/** What every call of a plugin's tool receives. */
export interface PluginToolScope {
  /** Reserved parameters of the turn (`__user__`, `__metadata__`, `__model__` and so on). */
  reserved: Record<string, unknown>;
}

/**
 * The functions of the plugins with these ids as tools of a turn, if the caller owns or may read them. For all others,
 * existing or not, a note says that they are not available. Nothing is loaded before a model calls a tool; when warm,
 * this costs no round trip except one for user valves, if a plugin has any.
 */
export async function attachPluginTools(
  ctx: Context,
  ids: readonly string[],
  scope: PluginToolScope,
): Promise<Attachment> {
  const user = requireUser(ctx);
  const snapshot = await loadSnapshot(ctx);
  const found = ids.map((id) => ({ id, entry: findTools(snapshot, user, id) }));
  const notes = found.filter(({ entry }) => !entry).map(({ id }) => missingNote(id));
  const there = found.flatMap(({ entry }) => entry ?? []);
  notes.push(...there.filter(({ isOff }) => isOff).map(({ name }) => `The tool ${name} is switched off.`));
  const entries = there.filter(({ isOff }) => !isOff);
  if (entries.length > 0 && !ctx.settings.ENABLE_PLUGINS) {
    notes.push("Plugins are switched off, so their tools are left out.");
    return { tools: [], notes, close: () => undefined };
  }
  const valves = await loadUserValves(
    ctx,
    "tool",
    entries.filter(({ info }) => info.userValvesSchema !== null).map(({ id }) => id),
  );
  const sessions = new Map<string, PluginSession>();
  const tools = entries.flatMap((entry): AttachedTool[] => {
    const foreign = isForeign(user, entry);
    const given = reservedFor(entry, scope.reserved, valves.get(entry.id));
    const reserved = foreign ? withoutModelSettings(given) : given;
    const open = (): PluginSession => {
      const session = sessions.get(entry.id) ?? openPlugin(ctx, entry, user);
      sessions.set(entry.id, session);
      return session;
    };
    return entry.info.specs.map((spec) => {
      const tool = pluginTool(ctx, entry, spec, reserved, open);
      return foreign ? { ...tool, call: (args, at) => tool.call(args, withoutInstructions(at)) } : tool;
    });
  });
  return { tools, notes, close: () => sessions.forEach((session) => session.close()) };
}

function missingNote(id: string): string {
  return `The tool ${JSON.stringify(id.slice(0, 100))} does not exist, or you have no access to it.`;
}

function findTools(snapshot: Snapshot, user: User, id: string): PluginEntry | undefined {
  const entry = snapshot.plugins.find((plugin) => plugin.family === "tool" && plugin.id === id);
  if (!entry) return undefined;
  return mayRead(user, entry, snapshot.toolGrants.get(entry.id) ?? []) ? entry : undefined;
}

function reservedFor(
  entry: PluginEntry,
  reserved: Record<string, unknown>,
  valves: Record<string, unknown> | undefined,
): Record<string, unknown> {
  const person = isRecord(reserved["__user__"]) ? reserved["__user__"] : {};
  return { ...reserved, __id__: entry.id, __user__: valves ? { ...person, valves } : person };
}

/** The instructions of a model are for the model: a tool of somebody else gets its id and name only. */
function withoutModelSettings(reserved: Record<string, unknown>): Record<string, unknown> {
  const { __model__: model, __metadata__: metadata, ...rest } = reserved;
  if (!isRecord(model)) return reserved;
  const bare = bareModelView(String(model["id"]), String(model["name"]));
  return { ...rest, __model__: bare, __metadata__: { ...(isRecord(metadata) ? metadata : {}), model: bare } };
}

/** The same for the conversation. */
function withoutInstructions(scope: ToolScope): ToolScope {
  return { ...scope, messages: scope.messages.filter(({ role }) => role !== "system" && role !== "developer") };
}

function pluginTool(
  ctx: Context,
  entry: PluginEntry,
  spec: ToolSpec,
  reserved: Record<string, unknown>,
  open: () => PluginSession,
): AttachedTool {
  return {
    spec,
    source: { kind: "plugin", id: entry.id, name: entry.name },
    call: (args, scope) => callPlugin(ctx, entry, spec.name, args, reserved, scope, open),
  };
}

async function callPlugin(
  ctx: Context,
  entry: PluginEntry,
  method: string,
  args: Record<string, unknown>,
  reserved: Record<string, unknown>,
  scope: ToolScope,
  open: () => PluginSession,
): Promise<ToolOutcome> {
  const pieces: unknown[] = [];
  let length = 0;
  const tooLong = new AbortController();
  const allowances = allowancesOf(ctx, entry, method, scope.signal, (until) => scope.capabilitiesOf(entry, until));
  const result = await open().call({
    method,
    args,
    reserved: { ...reserved, __messages__: scope.messages },
    ...allowances,
    signal: AbortSignal.any([scope.signal, tooLong.signal]),
    // Values that come one by one are told from a list only so.
    onChunk(value) {
      pieces.push(value);
      length += typeof value === "string" ? value.length : (JSON.stringify(value)?.length ?? 0);
      if (length > maxResultLength) tooLong.abort();
    },
  });
  if (tooLong.signal.aborted) return { ok: false, message: `${entry.name} returned more data than the limit` };
  if (!result.ok) {
    const { code, message } = result.error;
    return { ok: false, message: code === "threw" ? message || "The tool failed" : `${entry.name}: ${message}` };
  }
  const { content, embeds } = readToolValue(result.streamed ? joinValues(pieces) : result.value);
  if (embeds.length === 0 || scope.messageId === undefined) return { ok: true, content };
  try {
    await allowances.capabilities.emit({ type: "embeds", data: { embeds } });
    return { ok: true, content };
  } catch (error) {
    ctx.log.warn("could not show a tool's page", { tool: entry.id, error });
    return { ok: false, message: "The page could not be shown to the person" };
  }
}
