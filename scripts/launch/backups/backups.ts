import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import type { BackupFigures } from "../../../src/machine/schema.ts";
import type { BackupNews } from "../../backup.ts";
import { projectRoot } from "../project-root.ts";
import { complain, say } from "../say.ts";
import type { BackupOptions } from "./backup-options.ts";
import { nextDue } from "./schedule.ts";

/** A backup may take a while; after that it is late. Milliseconds. */
const graceMs = 3_600_000;

/** Kept in the data folder. */
interface Known {
  /** Since when there is a schedule, epoch milliseconds. */
  since: number | null;
  /** When the last one was begun. */
  triedAt: number | null;
  last: BackupFigures["last"];
  failed: BackupFigures["failed"];
}

const nothing: Known = { since: null, triedAt: null, last: null, failed: null };

/** Makes backups by the schedule and when somebody asks, one at a time, each in a process of its own. */
export class Backups {
  readonly #options: BackupOptions;
  readonly #dataDir: string;
  readonly #file: string;
  #known: Known;
  #running: { child: ChildProcess; since: number; part: number } | undefined;

  constructor(options: BackupOptions, dataDir: string) {
    this.#options = options;
    this.#dataDir = dataDir;
    this.#file = path.join(dataDir, "backups.json");
    this.#known = readKnown(this.#file);
    const { schedule } = options;
    if ((schedule === undefined) === (this.#known.since !== null))
      this.#remember({ since: schedule === undefined ? null : Date.now() });
  }

  get figures(): BackupFigures {
    const { schedule = null, to, keep } = this.#options;
    const { last, failed, since } = this.#known;
    const expected = schedule === null ? undefined : nextDue(schedule, Math.max(last?.at ?? 0, since ?? 0));
    return {
      schedule,
      to,
      keep,
      nextAt: this.#nextAt() ?? null,
      isLate: expected !== undefined && expected + graceMs < Date.now(),
      running: this.#running === undefined ? null : { since: this.#running.since, part: this.#running.part },
      last,
      failed,
    };
  }

  /** Once a minute. What was due while nothing ran is made up for. */
  tick(now = Date.now()): void {
    const next = this.#nextAt();
    if (next !== undefined && next <= now) this.start();
  }

  /** Begins one, unless one is being made. */
  start(): void {
    if (this.#running !== undefined) return;
    const { to, keep } = this.#options;
    const script = path.join(projectRoot, "scripts/backup.ts");
    const child = spawn(
      process.execPath,
      ["--disable-warning=ExperimentalWarning", script, "--to", to, "--keep", keep],
      { env: { ...process.env, DATA: this.#dataDir }, stdio: ["ignore", "ignore", "ignore", "ipc"] },
    );
    const running = { child, since: Date.now(), part: 0 };
    this.#running = running;
    this.#remember({ triedAt: running.since });
    let end: { made: true } | { failed: string } = { failed: "The process ended before the backup did." };
    child.on("message", (news: BackupNews) => {
      if ("part" in news) running.part = news.part;
      else if ("failed" in news) end = news;
      else {
        const { where, bytes, durationMs } = news.made;
        end = { made: true };
        this.#remember({ last: { where, bytes, durationMs, at: running.since }, failed: null });
        say(`Backed up to ${where}.`);
      }
    });
    child.once("error", (error) => (end = { failed: error.message }));
    child.once("close", () => {
      this.#running = undefined;
      if ("made" in end) return;
      this.#remember({ failed: { message: end.failed, at: Date.now() } });
      complain(`The backup failed: ${end.failed}`);
    });
  }

  stop(): void {
    this.#running?.child.kill("SIGTERM");
  }

  #nextAt(): number | undefined {
    const { triedAt, since } = this.#known;
    const { schedule } = this.#options;
    return schedule === undefined ? undefined : nextDue(schedule, Math.max(triedAt ?? 0, since ?? 0));
  }

  #remember(change: Partial<Known>): void {
    this.#known = { ...this.#known, ...change };
    try {
      writeFileSync(`${this.#file}.new`, `${JSON.stringify(this.#known, null, 2)}\n`, { mode: 0o600 });
      renameSync(`${this.#file}.new`, this.#file);
    } catch (error) {
      complain(`What is known of backups could not be stored: ${(error as Error).message}`);
    }
  }
}

function readKnown(file: string): Known {
  try {
    return { ...nothing, ...(JSON.parse(readFileSync(file, "utf8")) as Partial<Known>) };
  } catch {
    // None yet, or damaged: backups are made all the same.
    return nothing;
  }
}
