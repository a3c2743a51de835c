import { requireAdmin } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { describeSource, loadPackages } from "../describe-source.ts";
import { type Family, findWritable } from "../find-plugin.ts";
import { findNamedHosts } from "../named-hosts.ts";
import type { PluginUpdateFound } from "../schema.ts";
import { requirementsOf } from "./find-plugins.ts";
import { loadUrl } from "./load-url.ts";
import { readImportFile } from "./read-import-file.ts";

/**
 * Compares a plugin with what its address has now. Nothing is stored: the new source is taken as every other change of
 * it, by who has seen it.
 * @throws AppError `forbidden`, `not_found`; `bad_request` for one that came from no address, or is not there any more; as
 *   `loadUrl`.
 */
export async function checkUpdate(ctx: Context, family: Family, id: string): Promise<PluginUpdateFound> {
  requireAdmin(ctx);
  const { entry, source } = await findWritable(ctx, family, id);
  const { origin } = entry;
  if (origin?.kind !== "address")
    throw new AppError("bad_request", `${entry.name} was not imported from an address, so nothing can be compared`);
  const { name, content } = await loadUrl(ctx, origin.from);
  const sources = readImportFile(name, content);
  const there = origin.item === undefined ? sources[0] : sources.find(({ item }) => item === origin.item);
  if (!there) throw new AppError("bad_request", `${origin.from} has no ${entry.name} any more`);
  const changed = there.content !== source;
  const unchanged = { from: origin.from, changed, content: there.content, old_version: versionOf(entry.info.manifest) };
  if (!changed)
    return {
      ...unchanged,
      ok: true,
      new_version: unchanged.old_version,
      new_requirements: [],
      new_hosts: [],
      problems: [],
    };
  const packages = await loadPackages(ctx, { organizationId: entry.organizationId, byAdminOnly: entry.isTrusted });
  const { info, problems } = await describeSource(ctx, family, there.content, packages, entry.runner);
  const before = new Set([...entry.hosts, ...findNamedHosts(source, entry.language, entry.info)]);
  const required = new Set(requirementsOf(entry.info.manifest));
  return {
    ...unchanged,
    ok: info !== undefined,
    new_version: info ? versionOf(info.manifest) : null,
    new_requirements: info ? requirementsOf(info.manifest).filter((each) => !required.has(each)) : [],
    new_hosts: info ? findNamedHosts(there.content, info.language, info).filter((host) => !before.has(host)) : [],
    problems,
  };
}

function versionOf(manifest: Record<string, string>): string | null {
  return manifest["version"]?.slice(0, 500) || null;
}
