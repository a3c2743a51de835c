import { type Family, gauge } from "../lib/metrics/family.ts";
import type { MachineFigures } from "../machine/schema.ts";

/** @param figures undefined on the edge, and where the launcher does not answer */
export function machineFamilies(figures: MachineFigures | undefined, now: number): Family[] {
  const { processes = [], disk, connections, backups } = figures ?? {};
  const one = (value: number | null | undefined) =>
    value === null || value === undefined ? [] : [[[], value] as const];
  const byPart = (values: readonly (readonly [part: string, value: number | null])[]) =>
    values.flatMap(([part, value]) => (value === null ? [] : [[[part], value] as const]));
  const counter = ({ samples, ...family }: Family): Family => ({
    ...family,
    type: "counter",
    samples: samples.map((sample) => ({ ...sample, suffix: "_total" })),
  });
  return [
    gauge(
      {
        name: "parley_processes",
        help: "Running processes: launcher, service, database, passwords, plugins (a spare one included), documents.",
        labels: ["part"],
      },
      byPart(processes.map((each) => [each.part, each.count])),
    ),
    gauge(
      {
        name: "parley_process_memory_bytes",
        unit: "bytes",
        help: "Resident memory of the processes of a part.",
        labels: ["part"],
      },
      byPart(processes.map((each) => [each.part, each.memoryBytes])),
    ),
    counter(
      gauge(
        {
          name: "parley_process_cpu_seconds",
          unit: "seconds",
          help: "Processor time of the main thread of a part, since its process started.",
          labels: ["part"],
        },
        byPart(processes.map((each) => [each.part, each.cpuSeconds])),
      ),
    ),
    counter(
      gauge(
        {
          name: "parley_process_restarts",
          help: "How often a part ended without being told to, and was started again.",
          labels: ["part"],
        },
        byPart(processes.map((each) => [each.part, each.restarts])),
      ),
    ),
    counter(
      gauge(
        {
          name: "parley_process_silences",
          help: "How often a part did not answer for 20 s, and was replaced. Counted as a restart too.",
          labels: ["part"],
        },
        byPart(processes.map((each) => [each.part, each.silences])),
      ),
    ),
    gauge({ name: "parley_connections", help: "Open connections of callers at the public socket." }, one(connections)),
    gauge(
      { name: "parley_disk_free_bytes", unit: "bytes", help: "Room left on the disk of the data folder." },
      one(disk?.freeBytes),
    ),
    gauge(
      { name: "parley_disk_size_bytes", unit: "bytes", help: "Size of the disk of the data folder." },
      one(disk?.sizeBytes),
    ),
    gauge(
      { name: "parley_database_size_bytes", unit: "bytes", help: "Size of the database's files." },
      one(disk && disk.parts.database + disk.parts.log),
    ),
    gauge(
      {
        name: "parley_disk_used_bytes",
        unit: "bytes",
        help: "What takes space in the data folder: database, its log, objects, sessions, backups.",
        labels: ["part"],
      },
      byPart(Object.entries(disk?.parts ?? {})),
    ),
    gauge(
      {
        name: "parley_backup_age_seconds",
        unit: "seconds",
        help: "Age of the last good backup that the service made; missing without one.",
      },
      one(backups?.last && Math.max(0, now - backups.last.at) / 1000),
    ),
    gauge(
      { name: "parley_backup_late", help: "1 when a backup of the schedule is missing for more than an hour." },
      one(backups && (backups.isLate ? 1 : 0)),
    ),
  ];
}
