import { execFileSync } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { send, startTarget, type Target } from "../attack/service.ts";
import { watchOthers } from "../attack/watch-others.ts";

/** Parts of the whole time; what they measured is compared. */
const windows = 12;
/** A figure of the end may be so many times that of the beginning. */
const maxGrowth = 1.15;

interface Window {
  p50: number;
  p99: number;
  lost: number;
  requests: number;
  memory: number;
  disk: number;
}

/** Somebody uploads a text every few seconds, reads it once it has been read, and deletes it. */
async function churnFiles({ parley, people }: Target, signal: AbortSignal): Promise<void> {
  const { token } = people[0]!;
  const headers = { authorization: `Bearer ${token}` };
  for (let round = 0; !signal.aborted; round++) {
    const form = new FormData();
    const text = `The harbour, day ${round}. `.repeat(4000);
    form.set("file", new Blob([text], { type: "text/plain" }), `day-${round}.txt`);
    const uploaded = await fetch(`${parley.url}/api/v1/files/`, { method: "POST", headers, body: form });
    const { id } = (await uploaded.json()) as { id: string };
    for (let status = "pending"; status === "pending" && !signal.aborted; await wait(500)) {
      const answer = await send(parley.url, "GET", `/api/v1/files/${id}/process/status`, { token });
      ({ status } = JSON.parse(answer.text) as { status: string });
    }
    await send(parley.url, "DELETE", `/api/v1/files/${id}`, { token });
    await wait(2000);
  }
}

/** Which part of the service a process is, by how it was started. */
const parts: readonly [name: string, command: RegExp][] = [
  ["service", /control\.sock/],
  ["documents", /documents\d+\.sock/],
  ["plugins", /\/p\d+\.sock/],
  ["passwords", /passwords\d+\.sock/],
  ["database", /sqld/],
  ["launcher", /launch\.ts/],
];

/** Resident memory of each part, so that it is known which one grows: `service 290, documents 130`. */
function describeParts({ parley }: Target): string {
  const sizes = new Map<string, number>();
  for (const { command, rss } of parley.processes()) {
    const name = parts.find(([, pattern]) => pattern.test(command))?.[0] ?? "others";
    sizes.set(name, (sizes.get(name) ?? 0) + rss);
  }
  return [...sizes].map(([name, bytes]) => `${name} ${Math.round(bytes / 1e6)}`).join(", ");
}

/** Bytes that the data folder takes on the disk. */
function diskOf({ parley }: Target): number {
  return Number(execFileSync("du", ["-sk", parley.dataDir], { encoding: "utf8" }).split("\t")[0]) * 1024;
}

/**
 * npm run bench -- --soak MINUTES: twenty people use the service for so long, with files that come and go. Prints what they
 * noticed in each twelfth of the time, and whether memory and times stayed what they were.
 * @returns whether they did
 */
export async function benchSoak(minutes: number): Promise<boolean> {
  const target = await startTarget(0, 20);
  const found: Window[] = [];
  try {
    for (let at = 0; at < windows; at++) {
      const signal = AbortSignal.timeout((minutes * 60_000) / windows);
      const [noticed] = await Promise.all([watchOthers(target, signal), churnFiles(target, signal)]);
      const { p50, p99, lost, requests, memory } = noticed;
      found.push({ p50, p99, lost: lost.length, requests, memory, disk: diskOf(target) });
      const sizes = `${Math.round(memory / 1e6)} MB of memory (now ${describeParts(target)}), ${Math.round(found[at]!.disk / 1e6)} MB on the disk`;
      console.log(
        `${at + 1}/${windows}: p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, ${lost.length} of ${requests} lost, ${sizes}`,
      );
      for (const each of new Set(lost)) console.log(`    ${each}`);
    }
  } finally {
    await target.parley.stop();
  }
  // The first window warms up.
  const [early, late] = [found.slice(1, 4), found.slice(-3)];
  const growthOf = (name: "p50" | "memory") => medianOf(late, name) / medianOf(early, name);
  const lost = found.reduce((sum, window) => sum + window.lost, 0);
  const isFlat = lost === 0 && growthOf("memory") <= maxGrowth && growthOf("p50") <= maxGrowth;
  console.log(
    `${isFlat ? "Flat" : "NOT FLAT"}: memory times ${growthOf("memory").toFixed(2)}, p50 times ${growthOf("p50").toFixed(2)}, ${lost} lost`,
  );
  return isFlat;
}

function medianOf(some: readonly Window[], name: "p50" | "memory"): number {
  return some.map((window) => window[name]).toSorted((a, b) => a - b)[1]!;
}
