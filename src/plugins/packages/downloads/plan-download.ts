import { and, eq, lt, or } from "drizzle-orm";
import { managesOrganization, requireManager, type User } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import { isForeignKeyViolation } from "../../../db/database-error.ts";
import { AppError } from "../../../errors.ts";
import { newId } from "../../../lib/id.ts";
import { lookAlike, packageNamed } from "../import-names.ts";
import { type InterpreterPackages, type LockedPackages, lockedPackages } from "../interpreter/locked-packages.ts";
import { maxPackages, unknownOrganization } from "../packages.ts";
import { createRegistryClient } from "../registry/registry-client.ts";
import { readRequirement, type Requirement, writeRequirement } from "../requirement.ts";
import { type Chosen, resolve, Unresolvable } from "../resolve.ts";
import { packageDownloads, pluginPackages } from "../tables.ts";
import { type PlannedCandidate, createCandidates, type StoredPackage } from "./candidates.ts";
import { allowedAddresses, downloadView, newDownload } from "./downloads.ts";
import type { DownloadView, WantedPackages } from "./schema.ts";

const limits = { packages: 60, tries: 200 };
/** Bytes of all wheels of one download. */
export const maxDownloadBytes = 200_000_000;
/** How long asking the registries may take, milliseconds. */
const timeoutMs = 60_000;
/** A plan that nobody agreed to is kept for so long, in seconds. */
const keptSeconds = 3600;

type Row = typeof packageDownloads.$inferSelect;

/** A person who manages packages, where they may be fetched. @throws AppError `forbidden` */
export function requireRegistries(ctx: Context): User {
  const user = requireManager(ctx);
  if (allowedAddresses(ctx.settings).length > 0) return user;
  throw new AppError(
    "forbidden",
    "No registry is allowed: an administrator can set PLUGIN_PACKAGE_REGISTRIES, and wheels can be uploaded",
  );
}

/**
 * Finds out which packages would be fetched: those that are wanted, with all that they need. Nothing is fetched before
 * `startDownload`.
 * @throws AppError `forbidden`, also where no registry is allowed; `validation_failed` for an organization that does not exist for
 *   the caller, and for what is no requirement; `conflict` with the requirements that exclude each other; `limit_reached`;
 *   `upstream_unreachable`, `upstream_timeout`, `upstream_invalid_answer`, `address_not_allowed`.
 * @param locked packages that were made for the interpreter
 */
export async function planDownload(
  ctx: Context,
  input: WantedPackages,
  locked: () => Promise<LockedPackages> = lockedPackages,
): Promise<DownloadView> {
  const user = requireRegistries(ctx);
  const organizationId = input.organization_id ?? user.organizationId;
  if (!managesOrganization(user, organizationId)) throw unknownOrganization();
  const registries = ctx.settings.PLUGIN_PACKAGE_REGISTRIES;
  const wanted = input.packages.map((text, index) => readWanted(text, index));
  const rows = await ctx.db.select().from(pluginPackages).where(eq(pluginPackages.organizationId, organizationId));
  const stored = new Map(rows.map((row) => [row.name, row]));
  const client = createRegistryClient(
    { guarded: ctx.outbound.guarded, signal: AbortSignal.timeout(timeoutMs) },
    registries,
  );
  const interpreter = await interpreterPackages(ctx.settings, locked);
  const source = createCandidates(client, new Map(rows.flatMap((row) => asStored(user, row))), interpreter);
  const chosen = await resolve(wanted, source, limits).catch((error: unknown) => {
    if (error instanceof Unresolvable) throw new AppError("conflict", error.message, { param: "packages" });
    throw error;
  });
  const packages = chosen.flatMap((each) => planned(each, stored));
  const size = packages.reduce((sum, each) => sum + (each.size ?? 0), 0);
  if (size > maxDownloadBytes)
    throw new AppError("limit_reached", `These packages have more than ${maxDownloadBytes / 1_000_000} MB together`);
  const added = packages.filter(({ name }) => !stored.has(name)).length;
  if (rows.length + added > maxPackages)
    throw new AppError("limit_reached", `The limit of ${maxPackages} packages would be exceeded: delete some first`);
  const row = newDownload(ctx, user, {
    organizationId,
    wanted: wanted.map(writeRequirement),
    packages,
    present: chosen.flatMap(({ candidate: { name, version, origin } }) =>
      origin === "registry" ? [] : [{ name, version, built_in: origin === "built_in" }],
    ),
  });
  await ctx.db
    .batch([
      ctx.db
        .delete(packageDownloads)
        .where(
          and(
            eq(packageDownloads.state, "planned"),
            or(eq(packageDownloads.userId, user.id), lt(packageDownloads.createdAt, row.createdAt - keptSeconds)),
          ),
        ),
      ctx.db.insert(packageDownloads).values(row),
    ])
    .catch((error: unknown) => {
      if (isForeignKeyViolation(error)) throw unknownOrganization();
      throw error;
    });
  return downloadView(row);
}

async function interpreterPackages(
  { PLUGIN_INTERPRETER_PACKAGES: address }: Context["settings"],
  locked: () => Promise<LockedPackages>,
): Promise<InterpreterPackages | undefined> {
  return address === "" ? undefined : { address, packages: await locked() };
}

/** What a person's plugins find: see `PackageScope`. What they do not find can be replaced. */
function asStored(user: User, row: typeof pluginPackages.$inferSelect): [string, StoredPackage][] {
  const { name, version, contents, byAdmin } = row;
  if (user.role === "admin") return byAdmin ? [[name, { name, version, contents, mayReplace: true }]] : [];
  return [[name, { name, version, contents, mayReplace: !byAdmin }]];
}

function planned(
  { candidate, wantedBy }: Chosen<PlannedCandidate>,
  stored: ReadonlyMap<string, { version: string }>,
): Row["packages"] {
  if (candidate.origin !== "registry") return [];
  const { name, version, release, metadata } = candidate;
  const { filename, url, sha256, size } = release.wheel;
  return [
    {
      id: newId(),
      name,
      version,
      filename,
      url,
      sha256,
      size,
      license: metadata?.license ?? null,
      summary: metadata?.summary ?? null,
      registry: release.registry,
      needed_by: wantedBy.includes("") ? [] : wantedBy,
      replaces: stored.get(name)?.version ?? null,
      looks_like: lookAlike(name) ?? null,
    },
  ];
}

function readWanted(text: string, index: number): Requirement {
  const read = readRequirement(text);
  if (read && read.marker === "") return { ...read, name: packageNamed(read.name) };
  const message = `${text.slice(0, 100)} is not the name of a package, such as openai or openai>=1,<2`;
  const path = `packages.${index}`;
  throw new AppError("validation_failed", message, { param: "packages", issues: [{ path, message }] });
}
