import { and, eq, sql } from "drizzle-orm";
import type { Services } from "../../../context.ts";
import { AppError } from "../../../errors.ts";
import { JobFailure } from "../../../jobs/job-failure.ts";
import type { JobHandler, JobRun } from "../../../jobs/job-handler.ts";
import { serviceContext } from "../../../people/auth/service-context.ts";
import { users } from "../../../people/users/tables.ts";
import { packageKey } from "../find-packages.ts";
import { readFetchedWheel } from "../read-fetched-wheel.ts";
import { BrokenPromise, fetchBytes } from "../registry/fetch-bytes.ts";
import { maxWheelBytes } from "../registry/registry-client.ts";
import { type FetchedWheel, packageDownloads } from "../tables.ts";
import { allowedAddresses } from "./downloads.ts";
import { installFetched, noRoom } from "./install-fetched.ts";
import { maxDownloadBytes } from "./plan-download.ts";

type Row = typeof packageDownloads.$inferSelect;
type Planned = Row["packages"][number];

/**
 * Fetches the wheels of a download one after another, and offers them to plugins together at the end. What was fetched before the
 * process died is not fetched again.
 */
export const downloadHandler: JobHandler = {
  async run(services, { subject: id }, run) {
    const [row] = await services.db.select().from(packageDownloads).where(eq(packageDownloads.id, id));
    if (row?.state !== "running") return;
    await requireStillAllowed(services, row);
    const fetched = [...row.fetched];
    for (const each of row.packages) {
      if (fetched.some((known) => known.id === each.id)) continue;
      const before = fetched.reduce((sum, { size }) => sum + size, 0);
      fetched.push(await fetchWheel(services, { row, planned: each, before, run }));
      await keepFetched(services, { id, fetched, run });
    }
    // A job has no request of its own: somebody agreed in one, which was written down.
    const agreed = sql`coalesce((SELECT actor_kind FROM audit_events WHERE target_id = ${id} AND action = 'package.download_started'), 'session')`;
    if (!(await installFetched(services, { ...row, fetched }, "running", run.held, agreed))) throw final(noRoom);
  },
  failed: ({ db, now }, { subject }, { message }, condition) => [
    db
      .update(packageDownloads)
      .set({ state: "failed", error: message.slice(0, 1000), updatedAt: now() })
      .where(and(eq(packageDownloads.id, subject), eq(packageDownloads.state, "running"), condition)),
  ],
};

/** Rights and settings may have changed since somebody agreed. @throws JobFailure */
async function requireStillAllowed(services: Services, row: Row): Promise<void> {
  const { settings } = await serviceContext(services);
  const allowed = new Set(allowedAddresses(settings).map((address) => new URL(address).host));
  const gone = row.packages.find(({ registry }) => !allowed.has(registry));
  if (gone) throw final(`${gone.registry} is no longer an allowed registry`);
  const [user] = await services.db
    .select()
    .from(users)
    .where(eq(users.id, row.userId ?? ""));
  const isAdmin = user?.active && user.role === "admin";
  const isManager =
    user?.active &&
    user.role === "user" &&
    user.organizationRole === "admin" &&
    user.organizationId === row.organizationId;
  if (!isAdmin && (row.byAdmin || !isManager)) throw final("The person who started it is no longer an administrator");
}

interface Fetching {
  row: Row;
  planned: Planned;
  /** Bytes of the wheels before it. */
  before: number;
  run: JobRun;
}

/** @throws JobFailure: for good where the registry's file is not what was agreed to */
async function fetchWheel(services: Services, { row, planned, before, run }: Fetching): Promise<FetchedWheel> {
  const { id, name, version, filename, url, sha256, size } = planned;
  let completed = before;
  const status = `${name} ${version}`;
  const tell = (count: number) => {
    completed += count;
    const update = services.db
      .update(packageDownloads)
      .set({ status, completed, updatedAt: services.now() })
      .where(and(eq(packageDownloads.id, row.id), eq(packageDownloads.state, "running"), run.held));
    // What there is of a wheel is lost with the process.
    run.progress([update], false);
  };
  try {
    const maxBytes = Math.min(maxWheelBytes, maxDownloadBytes - before);
    const found = await fetchBytes({ guarded: services.outbound.guarded, signal: run.signal }, url, {
      maxBytes,
      size,
      sha256,
      onBytes: tell,
    });
    if (!found) throw final(`${filename} is not there any more: plan the download again`);
    const contents = readFetchedWheel(planned, found.bytes);
    run.signal.throwIfAborted();
    await services.blobs.put(packageKey(id), found.bytes);
    return { id, size: found.bytes.length, contents };
  } catch (error) {
    if (error instanceof JobFailure) throw error;
    if (!(error instanceof AppError)) throw error;
    const isFinal =
      error instanceof BrokenPromise ||
      ["plugin_invalid", "payload_too_large", "address_not_allowed"].includes(error.code);
    throw new JobFailure("internal_error", error.message, { final: isFinal, cause: error });
  }
}

/** Writes down what there is now, so that another runner goes on from there. */
async function keepFetched(
  services: Services,
  { id, fetched, run }: { id: string; fetched: readonly FetchedWheel[]; run: JobRun },
): Promise<void> {
  const completed = fetched.reduce((sum, { size }) => sum + size, 0);
  const { rowsAffected } = await services.db
    .update(packageDownloads)
    .set({ fetched: [...fetched], completed, updatedAt: services.now() })
    .where(and(eq(packageDownloads.id, id), eq(packageDownloads.state, "running"), run.held));
  if (rowsAffected > 0) return;
  // It was stopped, or is somebody else's now. Only where it was stopped does nobody need the wheel.
  const [row] = await services.db
    .select({ state: packageDownloads.state })
    .from(packageDownloads)
    .where(eq(packageDownloads.id, id));
  if (row?.state !== "running" && row?.state !== "done")
    await services.blobs.delete(fetched.map((each) => packageKey(each.id)));
  throw new JobFailure("internal_error", "The download was stopped", { final: true });
}

function final(message: string): JobFailure {
  return new JobFailure("internal_error", message, { final: true });
}
