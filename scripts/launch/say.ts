import process from "node:process";

/** What stops a start and can be mended by whoever started it: its message is shown as it is, without a stack. */
export class StartError extends Error {}

/** One line to the person who started Parley. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** As `say`, for what went wrong. */
export function complain(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Lets the service outlive whoever read its output (`npm start | head`). */
export function ignoreClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
}

/** Does a step of the start and tells it with the seconds it took. */
export async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const begin = performance.now();
  const result = await work();
  say(`  ${name} (${((performance.now() - begin) / 1000).toFixed(1)} s)`);
  return result;
}
