import type { MachineFigures } from "../../src/machine/schema.ts";
import type { Machine } from "../../src/ports.ts";
import { createWorld, type World, type WorldOptions } from "../world.ts";
import { parseMetrics, type ParsedFamily } from "./parse-metrics.ts";

export const metricsToken = "the-token-that-prometheus-has";
export const openMetricsType = "application/openmetrics-text;version=1.0.0";

/** Of a machine with a disk of 10 GB. */
export const machineFigures: MachineFigures = {
  connections: 3,
  processes: [
    { part: "service", count: 1, memoryBytes: 200e6, cpuSeconds: 12.5, restarts: 1, silences: 1 },
    { part: "plugins", count: 2, memoryBytes: 160e6, cpuSeconds: null, restarts: null, silences: null },
  ],
  disk: {
    freeBytes: 5e9,
    sizeBytes: 10e9,
    parts: { database: 4000, log: 96, objects: 1e6, sessions: 1e3, backups: 2e6 },
  },
  backups: {
    schedule: "0 3 * * *",
    to: "/backups",
    keep: "7 daily",
    nextAt: null,
    isLate: false,
    running: null,
    last: { where: "/backups/one", bytes: 1e6, durationMs: 1000, at: Date.now() - 3_600_000 },
    failed: null,
  },
};

/** A launcher that only tells its figures. */
export const launcher = (figures: () => Promise<MachineFigures>): Machine => ({
  figures,
  freeBytes: async () => machineFigures.disk.freeBytes,
  startBackup: async () => undefined,
  compact: async () => 0,
});

export interface MetricsWorld extends World {
  scrape(format?: "text" | "openMetrics"): Promise<ParsedFamily[]>;
}

export async function createMetricsWorld({ environment, services }: WorldOptions = {}): Promise<MetricsWorld> {
  const world = await createWorld({
    environment: { METRICS_TOKEN: metricsToken, ...environment },
    services: { machine: launcher(async () => machineFigures), ...services },
  });
  return {
    ...world,
    async scrape(format = "text") {
      const { status, body } = await world.call<string>("/metrics", {
        as: metricsToken,
        headers: { accept: format === "text" ? "text/plain" : openMetricsType },
      });
      if (status !== 200) throw new Error(`/metrics answered ${status}: ${JSON.stringify(body)}`);
      return parseMetrics(body, format);
    },
  };
}
