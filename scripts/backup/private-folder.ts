import { mkdirSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import process from "node:process";

/**
 * A folder beside the data that only this user may enter, for what one run needs; removed when the work has ended. What killed runs left
 * behind goes first.
 */
export async function inPrivateFolder<T>(
  parent: string,
  kind: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  removeLeft(parent, new RegExp(String.raw`^\.${kind}-(\d+)$`));
  const folder = path.join(parent, `.${kind}-${process.pid}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Removes what carries the id of a process that has ended. @param name with the id as its group */
export function removeLeft(parent: string, name: RegExp): void {
  for (const entry of readdirSync(parent)) {
    const pid = Number(name.exec(entry)?.[1] ?? process.pid);
    if (pid !== process.pid && !isAlive(pid)) rmSync(path.join(parent, entry), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
