import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import process from "node:process";

export interface Usage {
  /** Processor time of the main thread, where JavaScript runs, in seconds; undefined where the system does not tell it. */
  cpu: number | undefined;
  /** Resident memory in bytes. */
  rss: number;
}

/** Ticks a second in /proc, the same on every Linux that there is. */
const ticks = 100;
const pageSize = 4096;

/** Undefined if the process has ended. */
export async function readUsage(pid: number): Promise<Usage | undefined> {
  try {
    return process.platform === "linux" ? readProc(pid) : await askPs(pid);
  } catch {
    return undefined;
  }
}

function readProc(pid: number): Usage {
  // The name of the command stands in parentheses and may hold anything: fields are counted from behind it.
  const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const pages = Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]);
  return { cpu: (Number(fields[11]) + Number(fields[12])) / ticks, rss: pages * pageSize };
}

function askPs(pid: number): Promise<Usage> {
  return new Promise((resolve, reject) => {
    execFile("ps", ["-o", "rss=", "-p", String(pid)], (error, stdout) =>
      error ? reject(error) : resolve({ cpu: undefined, rss: Number(stdout.trim()) * 1024 }),
    );
  });
}
