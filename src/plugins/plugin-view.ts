import { grantView, type Grant } from "../people/grants/grant.ts";
import type { PluginEntry } from "./plugin-index.ts";
import type { FunctionView, ToolView } from "./schema.ts";

/** What functions and tools have in common. */
function commonView(entry: PluginEntry) {
  const { info } = entry;
  return {
    id: entry.id,
    user_id: entry.userId,
    type: entry.type,
    name: entry.name,
    language: entry.language,
    version: entry.version,
    hosts: entry.hosts,
    native: entry.runner !== null,
    has_valves: info.valvesSchema !== null,
    has_user_valves: info.userValvesSchema !== null,
    toggle: info.toggle,
    priority: entry.priority,
    created_at: entry.createdAt,
    updated_at: entry.updatedAt,
  };
}

/** What only those see who may change it: the address of a runner says something of the operator's network. */
function sourceView({ runner }: PluginEntry, content: string | undefined) {
  return content === undefined ? {} : { content, runner };
}

/** @param content undefined if it is hidden */
export function functionView(entry: PluginEntry, content?: string): FunctionView {
  return {
    ...commonView(entry),
    ...sourceView(entry, content),
    meta: { ...entry.meta, manifest: entry.info.manifest },
    is_active: entry.isActive,
    is_global: entry.isGlobal,
  };
}

/** A tool with the permissions of the caller. */
export function toolView(entry: PluginEntry, grants: readonly Grant[], canWrite: boolean, content?: string): ToolView {
  const { info } = entry;
  return {
    ...commonView(entry),
    ...sourceView(entry, content),
    meta: { ...entry.meta, manifest: info.manifest, has_user_valves: info.userValvesSchema !== null },
    specs: info.specs,
    access_grants: canWrite ? grants.map(grantView) : [],
    write_access: canWrite,
    is_off: entry.isOff,
    trusted: entry.isTrusted,
    maker: entry.maker,
    kind: "plugin",
    connection: null,
  };
}

/** The stored `meta`: without what the source itself declares. */
export function ownMeta(given: Record<string, unknown>, manifest: Record<string, string>): Record<string, unknown> {
  const { manifest: _manifest, has_user_valves: _has, ...meta } = given;
  return meta["description"] || !manifest["description"] ? meta : { ...meta, description: manifest["description"] };
}
