import * as z from "zod";
import { type Family, gauge } from "../lib/metrics/family.ts";

const count = z.number().min(0);

/** What the launcher tells of what runs around the service. */
export const machineFigures = z.object({
  /** Callers at the public socket; null where another server keeps it (`npm run dev`). */
  connections: count.nullable(),
  processes: z.array(
    z.object({
      part: z.enum(["launcher", "service", "database", "passwords", "plugins", "documents"]),
      count,
      memoryBytes: count,
      /** Of the processes that run now; null where the system does not tell it, or where they come and go. */
      cpuSeconds: count.nullable(),
      /** How often it ended without being told to; null where that is not counted. */
      restarts: count.nullable(),
      /** How often it was silent for too long and was replaced; null where nobody watches for it. */
      silences: count.nullable(),
    }),
  ),
  disk: z.object({ freeBytes: count, sizeBytes: count, databaseBytes: count }),
});
export type MachineFigures = z.infer<typeof machineFigures>;

/** @param figures undefined on the edge, and where the launcher does not answer */
export function machineFamilies(figures: MachineFigures | undefined): Family[] {
  const { processes = [], disk, connections } = figures ?? {};
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
      one(disk?.databaseBytes),
    ),
  ];
}
