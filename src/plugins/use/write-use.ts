import { and, eq, lt, sql } from "drizzle-orm";
import type { Services } from "../../context.ts";
import { pluginContacts, pluginDays, plugins } from "../tables.ts";
import { addUse, type PluginUse, type UseState, pluginUseState } from "./use-state.ts";

/** How long uses are added up before they are written, milliseconds. */
const flushDelayMs = 200;
/** If a write has not started this long after it was due, another call starts it. */
const graceMs = 600;
/** Plugins of one batch. */
const atOnce = 100;
/** Hosts that are kept of one plugin. */
const maxContacts = 200;
/** Days that are kept, and how long a host that is not called any more. */
export const keptDays = 35;

type WritingServices = Pick<Services, "db" | "environment" | "log" | "waitUntil">;

/**
 * Counts what a plugin did. It costs no round trip now and never fails: uses are added up in the isolate and written
 * a moment later. What was not written is lost with the process; where the database failed in the middle, a
 * second's uses may be counted twice.
 */
export function recordPluginUse(services: WritingServices, use: PluginUse): void {
  const state = pluginUseState(services);
  addUse(state, use);
  // Anyone who was to write them may have been put away meanwhile.
  if (Date.now() < state.flushAt + graceMs) return;
  state.flushAt = Date.now() + flushDelayMs;
  services.waitUntil(flushLater(services, state));
}

async function flushLater(services: WritingServices, state: UseState): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, flushDelayMs));
  state.flushAt = 0;
  await flushPluginUse(services);
}

/** Writes what this isolate has counted; no round trip if there is nothing. What cannot be written waits for the next time. */
export async function flushPluginUse(services: Omit<WritingServices, "waitUntil">): Promise<void> {
  const state = pluginUseState(services);
  while (state.waiting.size > 0) {
    const keys = [...state.waiting.keys()].slice(0, atOnce);
    const uses = keys.map((key) => state.waiting.get(key)!);
    for (const key of keys) state.waiting.delete(key);
    try {
      await writePluginUse(services, uses);
    } catch (error) {
      for (const use of uses) addUse(state, use);
      services.log.warn("could not store what plugins did", { plugins: uses.length, error });
      return;
    }
  }
}

/** One batch. Plugins that were deleted meanwhile are left out. */
async function writePluginUse({ db }: Pick<Services, "db">, uses: readonly PluginUse[]): Promise<void> {
  const days = uses.map((use) => [
    use.family,
    use.id,
    use.day,
    use.calls,
    use.errors,
    use.bytesOut,
    use.bytesIn,
    Math.round(use.durationMs),
    use.memory,
  ]);
  const contacts = uses.flatMap((use) =>
    [...use.hosts.values()].map(({ host, isRefused, requests, bytesOut, bytesIn }) => [
      use.family,
      use.id,
      host,
      isRefused ? 1 : 0,
      requests,
      bytesOut,
      bytesIn,
      use.at,
    ]),
  );
  const isThere = sql`EXISTS (SELECT 1 FROM ${plugins} p WHERE p.family = value ->> 0 AND p.id = value ->> 1)`;
  const cells = (count: number) =>
    sql.join(
      Array.from({ length: count }, (_, at) => sql.raw(`value ->> ${at}`)),
      sql`, `,
    );
  await db.batch([
    db.run(sql`INSERT INTO ${pluginDays} (family, plugin_id, day, calls, errors, bytes_out, bytes_in, duration_ms, memory)
      SELECT ${cells(9)} FROM json_each(${JSON.stringify(days)}) WHERE ${isThere}
      ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, errors = errors + excluded.errors,
        bytes_out = bytes_out + excluded.bytes_out, bytes_in = bytes_in + excluded.bytes_in,
        duration_ms = duration_ms + excluded.duration_ms, memory = max(memory, excluded.memory)`),
    db.run(sql`INSERT INTO ${pluginContacts} (family, plugin_id, host, is_refused, requests, bytes_out, bytes_in, last_at)
      SELECT ${cells(8)} FROM json_each(${JSON.stringify(contacts)}) WHERE ${isThere} AND (
        EXISTS (SELECT 1 FROM ${pluginContacts} c WHERE c.family = value ->> 0 AND c.plugin_id = value ->> 1
          AND c.host = value ->> 2 AND c.is_refused = value ->> 3)
        OR (SELECT count(*) FROM ${pluginContacts} c WHERE c.family = value ->> 0 AND c.plugin_id = value ->> 1) < ${maxContacts})
      ON CONFLICT DO UPDATE SET requests = requests + excluded.requests, bytes_out = bytes_out + excluded.bytes_out,
        bytes_in = bytes_in + excluded.bytes_in, last_at = max(last_at, excluded.last_at)`),
  ]);
}

/** Writes what is left, and deletes what is too old. */
export async function sweepPluginUse(services: Services): Promise<void> {
  await flushPluginUse(services);
  const today = Math.floor(services.now() / 86_400);
  await services.db.batch([
    services.db.delete(pluginDays).where(lt(pluginDays.day, today - keptDays)),
    services.db.delete(pluginContacts).where(lt(pluginContacts.lastAt, (today - keptDays) * 86_400)),
  ]);
}

/** Statements: the days of a plugin, the newest first, and the hosts that it called, the last one first. */
export function selectUse(db: Services["db"], family: PluginUse["family"], id: string) {
  return [
    db
      .select()
      .from(pluginDays)
      .where(and(eq(pluginDays.family, family), eq(pluginDays.pluginId, id)))
      .orderBy(sql`${pluginDays.day} DESC`)
      .limit(keptDays),
    db
      .select()
      .from(pluginContacts)
      .where(and(eq(pluginContacts.family, family), eq(pluginContacts.pluginId, id)))
      .orderBy(sql`${pluginContacts.lastAt} DESC`, pluginContacts.host),
  ] as const;
}
