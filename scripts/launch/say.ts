import process from "node:process";

/** Prints one line for the person who started Parley. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** As `say`, for errors. */
export function complain(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Keeps the service running if the reader of its output ends (`npm start | head`). */
export function ignoreClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
}

/** Runs a step of the start and prints it with its duration. */
export async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const begin = performance.now();
  const result = await work();
  say(`  ${name} (${((performance.now() - begin) / 1000).toFixed(1)} s)`);
  return result;
}
