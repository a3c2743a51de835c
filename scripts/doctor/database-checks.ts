import { openReadOnly } from "../admin/open-read-only.ts";
import type { Finding } from "./finding.ts";

type Row = Record<string, unknown>;

/** What may be wrong in the database of a data folder. It is only read, also beside a running service. */
export function checkDatabase(dataDir: string, migrations: readonly string[]): Finding[] {
  const read = (query: string): Row[] => [...openReadOnly(dataDir, query)];
  const count = (query: string) => Number(read(`SELECT count(*) AS n FROM (${query})`)[0]?.["n"] ?? 0);
  const damage = read("PRAGMA quick_check(5)").filter((row) => row["quick_check"] !== "ok");
  // Nothing else that is read from it would mean anything.
  if (damage.length > 0) {
    const found = `The database is damaged (${damage.map((row) => String(row["quick_check"])).join("; ")})`;
    return [{ check: "database", found, advice: "restore a backup" }];
  }
  const applied = new Set(read("SELECT name FROM schema_migrations").map(({ name }) => String(name)));
  const missing = migrations.filter((name) => !applied.has(name));
  if (missing.length > 0) {
    const found = `The database lacks ${missing.length} migrations, the first is ${missing[0]}: the service does not serve`;
    return [{ check: "schema", found, advice: "start this version of Parley, which migrates it" }];
  }

  const findings: Finding[] = [];
  const add = (isFound: boolean | number, finding: Finding) => {
    if (isFound) findings.push(finding);
  };
  const now = Math.floor(Date.now() / 1000);

  const newer = applied.size - migrations.length;
  add(newer > 0, {
    check: "schema",
    found: `The database has ${newer} migrations that this version does not know: a newer Parley has used it`,
    advice: "start the newer version",
  });
  const orphans = count("SELECT 1 FROM pragma_foreign_key_check LIMIT 1000");
  add(orphans, {
    check: "rows",
    found: `${orphans} rows belong to something that is gone`,
    advice: "the service does not show them; restore a backup if something is missed",
  });
  const passages = count(`SELECT 1 FROM file_chunks c WHERE NOT EXISTS (SELECT 1 FROM files f WHERE f.id = c.file_id)
    AND NOT EXISTS (SELECT 1 FROM dropped_chunks d WHERE d.file_id = c.file_id AND d.version IN (-1, c.version))`);
  add(passages, {
    check: "passages",
    found: `${passages} passages belong to files that are gone, and take up room`,
    advice: "--fix has the service delete them within a minute or two",
    repair: "passages",
  });
  const vectors = count("SELECT 1 FROM chunk_vectors WHERE space_id NOT IN (SELECT id FROM embedding_spaces)");
  add(vectors, {
    check: "vectors",
    found: `${vectors} vectors belong to an embedding model that is gone, and take up room`,
    advice: "--fix deletes them",
    repair: "vectors",
  });
  const stuck = count(
    `SELECT 1 FROM jobs WHERE due_at < ${(now - 3600) * 1000} AND (lease_until IS NULL OR lease_until < ${now * 1000})`,
  );
  add(stuck, {
    check: "jobs",
    found: `${stuck} jobs have waited for more than an hour, and nobody does them`,
    advice: "--fix starts them again",
    repair: "jobs",
  });
  const failing = count(
    `SELECT 1 FROM webhook_endpoints WHERE disabled_reason IS NOT NULL OR failing_since < ${now - 3600}`,
  );
  add(failing, {
    check: "webhooks",
    found: `${failing} webhooks fail or were switched off because their receivers do not take them`,
    advice: "see Admin > Webhooks for the reasons, and switch them on there",
  });
  for (const { name, error } of read(
    "SELECT c.name, k.error FROM connections c JOIN connection_checks k ON k.connection_id = c.id WHERE c.enabled = 1 AND k.ok = 0",
  ))
    add(true, {
      check: "connections",
      found: `The connection ${String(name)} could not be reached when it was last tried (${String(error)})`,
      advice: "see Admin > Connections",
    });
  const latest = Number(read("SELECT max(at) AS at FROM audit_events")[0]?.["at"] ?? 0);
  add(latest > now + 300, {
    check: "clock",
    found: `The clock of this machine is behind: the audit log has an entry of ${new Date(latest * 1000).toISOString()}`,
    advice: "set the clock, for example by NTP",
  });
  return findings;
}
