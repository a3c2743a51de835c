import { spawn } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { get } from "node:http";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import workerd from "workerd";
import { askStatus } from "./ask-status.ts";
import { printRuntimeLine } from "./runtime-log.ts";
import type { ProcessPlan } from "./supervised-process.ts";
import { TailBuffer } from "./tail-buffer.ts";
import { maxSilenceMs } from "./watchdog.ts";

const startTimeoutMs = 30_000;

interface Runtime {
  /** As assemble-runtime.ts made it. It changes when the Worker is built again. */
  configuration(): Buffer;
  /** Where Durable Objects and object storage are kept. */
  readonly state: string;
  /** Address of `GET /health`, which is 200 once the service serves. */
  readonly health: { host: string; port: number };
  /** Unix socket for cron triggers, in a folder that only this user may enter. */
  readonly controlSocket: string;
  /** Where DevTools attach; none without it. */
  readonly inspectorPort: number | undefined;
}

/** Runs workerd with an assembled configuration. */
export function planRuntimeProcess(runtime: Runtime): ProcessPlan {
  const tail = new TailBuffer();
  let lastAnswer = "";
  return {
    name: "workerd",
    // Streams that are still open would keep it for as long as they last.
    stopTimeoutMs: 700,
    spawn() {
      rmSync(runtime.controlSocket, { force: true });
      for (const folder of ["do", "r2"]) mkdirSync(path.join(runtime.state, folder), { recursive: true });
      const child = spawn(
        workerd.default,
        [
          "serve",
          "--binary",
          "--experimental",
          `--socket-addr=entry=unix:${runtime.controlSocket}`,
          ...(runtime.inspectorPort === undefined ? [] : [`--inspector-addr=127.0.0.1:${runtime.inspectorPort}`]),
          "-",
        ],
        { stdio: ["pipe", "pipe", "pipe"], detached: true, env: { PATH: process.env["PATH"], TZ: "UTC" } },
      );
      // A process that ends before it has read everything is told by its exit.
      child.stdin.on("error", () => undefined);
      child.stdin.end(runtime.configuration());
      for (const output of [child.stdout, child.stderr]) {
        createInterface(output).on("line", (line) => {
          tail.add(line);
          printRuntimeLine(line);
        });
      }
      return child;
    },
    async untilReady(signal) {
      const deadline = performance.now() + startTimeoutMs;
      for (;;) {
        const answer = await askHealth(runtime.health);
        signal.throwIfAborted();
        // Another program that has taken the port may answer 200 too, as sqld does.
        if (answer.status === 200 && answer.said.includes('"status":true')) return;
        lastAnswer = answer.said;
        if (performance.now() > deadline)
          throw new Error(`/health is not 200 after ${startTimeoutMs / 1000} s: ${lastAnswer}`);
        await wait(15);
      }
    },
    // Somebody who debugs may stop it for as long as they like.
    ...(runtime.inspectorPort === undefined ? { answers: () => answers(runtime.health) } : {}),
    lastWords: () => tail.toString(),
  };
}

/** Whether the event loop of the runtime goes round. The web page, because it needs no database and counts nowhere as a request. */
async function answers(address: Runtime["health"]): Promise<boolean> {
  return (await askStatus({ ...address, path: "/", method: "HEAD" }, maxSilenceMs)) > 0;
}

function askHealth({ host, port }: Runtime["health"]): Promise<{ status: number; said: string }> {
  return new Promise((resolve) => {
    const request = get({ host, port, path: "/health", timeout: 3000, agent: false }, (response) => {
      let said = `${response.statusCode} `;
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (said += chunk.slice(0, 500)));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, said }));
      response.on("error", (error) => resolve({ status: 0, said: error.message }));
    });
    request.on("timeout", () => request.destroy(new Error("no answer within 3 s")));
    request.on("error", (error) => resolve({ status: 0, said: error.message }));
  });
}

/** Triggers the service's scheduled handler; resolves with the runtime's answer, "ok" on success. */
export function triggerCron(controlSocket: string, cron: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const url = `/?cron=${encodeURIComponent(cron)}`;
    get({ socketPath: controlSocket, path: url, headers: { host: "localhost" }, timeout: 50_000 }, (response) => {
      let said = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (said += chunk));
      response.on("end", () => resolve(said));
      response.on("error", reject);
    }).on("error", reject);
  });
}
