import packageFile from "../../package.json" with { type: "json" };
import type { Services } from "../context.ts";
import { gateWait, replicaReads, roundTripDuration, roundTripFailures, waitingAtGate } from "../db/metrics.ts";
import { openSockets } from "../events/open-sockets.ts";
import { requestCount, requestDuration } from "../http/metrics.ts";
import { type Family, gauge } from "../lib/metrics/family.ts";
import { startedAt } from "../lib/metrics/started-at.ts";
import { spanCount } from "../lib/traces/metrics.ts";
import { signInCount } from "../people/auth/metrics.ts";
import { pluginCallCount, pluginCallDuration } from "../plugins/metrics.ts";
import { callCount, callDuration, firstByteDuration, tokenCount } from "../usage/metrics.ts";
import { openCalls } from "../usage/open-calls.ts";
import { attemptCount, attemptDuration, deliveryCount } from "../webhooks/metrics.ts";
import { databaseFamilies, readDatabaseFigures } from "./database-figures.ts";
import { machineFamilies } from "./machine-figures.ts";

/** How long the database and the launcher have for their part, milliseconds. Prometheus waits 10 s for all. */
const timeoutMs = 3000;

const counted = [
  requestCount,
  requestDuration,
  signInCount,
  callCount,
  callDuration,
  firstByteDuration,
  tokenCount,
  attemptCount,
  attemptDuration,
  deliveryCount,
  pluginCallCount,
  pluginCallDuration,
  roundTripDuration,
  roundTripFailures,
  replicaReads,
  gateWait,
  spanCount,
];

/** All metrics. A part that does not answer is left out, and `parley_scrape_part_up` says so. */
export async function collectMetrics(services: Services): Promise<Family[]> {
  const { environment, log } = services;
  const known = async <T>(part: string, read: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await within(read());
    } catch (error) {
      log.warn("a part of the metrics could not be read", { part, error });
      return undefined;
    }
  };
  const { machine } = services;
  const [database, around] = await Promise.all([
    known("database", () => readDatabaseFigures(services.db)),
    machine && known("launcher", () => machine.figures()),
  ]);
  const { sockets, people } = openSockets(environment);
  return [
    ...counted.map((metric) => metric.collect(environment)),
    gauge(
      {
        name: "parley_database_gate_waiting",
        help: "Work that waits at the gate for a free stream to the database. Only on one machine.",
        labels: ["line"],
      },
      waitingAtGate(environment).map(([line, count]) => [[line], count]),
    ),
    gauge({ name: "parley_model_calls_open", help: "Calls of models that have begun and not ended." }, [
      [[], openCalls(environment)],
    ]),
    gauge({ name: "parley_open_sockets", help: "Open sockets of the web page: one for each tab." }, [[[], sockets]]),
    gauge({ name: "parley_connected_people", help: "How many people have the web page open." }, [[[], people]]),
    ...databaseFamilies(database, Date.now()),
    ...machineFamilies(around, Date.now()),
    gauge(
      {
        name: "parley_scrape_part_up",
        help: "Whether a part answered for this scrape: 1, or 0 and its metrics are missing.",
        labels: ["part"],
      },
      [[["database"], database ? 1 : 0], ...(machine ? [[["launcher"], around ? 1 : 0] as [string[], number]] : [])],
    ),
    {
      name: "parley_build",
      type: "info",
      help: "The version, and the commit where it is known.",
      samples: [
        {
          suffix: "_info",
          labels: [
            ["version", packageFile.version],
            ["commit", services.commit ?? ""],
          ],
          value: 1,
        },
      ],
    },
    gauge(
      {
        name: "process_start_time_seconds",
        unit: "seconds",
        help: "When the counters of this isolate began, seconds since 1970.",
      },
      [[[], startedAt(environment) / 1000]],
    ),
  ];
}

async function within<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
