import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { parseMetrics, sumOf } from "../metrics/parse-metrics.ts";
import { type Parley, startParley } from "./start-parley.ts";

const metricsToken = "the-token-that-prometheus-has";

let folder: string;
let parley: Parley;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-watching-"));
  // What systemd's program sends is written down instead.
  const program = path.join(folder, "systemd-notify");
  writeFileSync(program, `#!/bin/sh\necho "$NOTIFY_SOCKET $*" >> ${path.join(folder, "told")}\n`);
  chmodSync(program, 0o755);
  parley = await startParley({
    env: {
      METRICS_TOKEN: metricsToken,
      NOTIFY_SOCKET: "/run/not/there",
      WATCHDOG_USEC: "500000",
      PATH: `${folder}:${process.env["PATH"]}`,
    },
  });
});
afterAll(async () => {
  await parley?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const told = () => readFileSync(path.join(folder, "told"), "utf8").trim().split("\n");

const find = (part: string) => parley.processes().find(({ command }) => command.includes(part))!.pid;

const isStopped = (pid: number) =>
  spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).stdout.startsWith("T");

const answers = async () => {
  const answer = await fetch(`${parley.url}/health`, { signal: AbortSignal.timeout(1000) }).catch(() => undefined);
  return answer?.status === 200;
};

async function silences(part: string): Promise<number> {
  const response = await fetch(`${parley.url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
  return sumOf(parseMetrics(await response.text(), "text"), "parley_process_silences_total", { part });
}

test.each([
  ["workerd", "socket-addr=entry=", "service"],
  ["sqld", "--http-listen-addr", "database"],
])("%s that is silent for 20 s is replaced, and the service answers again within 30 s", async (name, part, figure) => {
  const pid = find(part);
  process.kill(pid, "SIGSTOP");
  await expect.poll(() => isStopped(pid)).toBe(true);
  const begun = performance.now();
  await vi.waitFor(() => expect(parley.output).toContain(`${name} is running again.`), {
    timeout: 60_000,
    interval: 100,
  });
  await expect.poll(answers, { timeout: 20_000, interval: 100 }).toBe(true);
  expect((performance.now() - begun) / 1000).toBeGreaterThan(15);
  expect((performance.now() - begun) / 1000).toBeLessThan(30);
  expect(find(part)).not.toBe(pid);
  expect(parley.output).toContain(`${name} has not answered for 20 s: restarting it.`);
  expect(await silences(figure)).toBe(1);
});

test("a runtime that was stopped for 10 s goes on", async () => {
  const pid = find("socket-addr=entry=");
  process.kill(pid, "SIGSTOP");
  await new Promise((resolve) => setTimeout(resolve, 10_000));
  process.kill(pid, "SIGCONT");
  await expect.poll(answers, { timeout: 30_000, interval: 100 }).toBe(true);
  expect(find("socket-addr=entry=")).toBe(pid);
  expect(await silences("service")).toBeLessThan(2);
});

test("systemd is told that it is ready, alive, and about to stop", async () => {
  expect(told()[0]).toBe("/run/not/there READY=1");
  const before = told().length;
  await expect.poll(() => told().length, { timeout: 30_000 }).toBeGreaterThan(before + 1);
  expect(told().at(-1)).toBe("/run/not/there WATCHDOG=1");
  await parley.terminate();
  expect(told()).toContain("/run/not/there STOPPING=1");
});
