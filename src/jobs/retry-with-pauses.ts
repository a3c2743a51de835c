/** Milliseconds between tries: a database that is started again is back within them. */
const pauses = [250, 500, 1000, 2000, 4000];

/** Repeats what the database, while it is away, cannot be told; what breaks every time is thrown. */
export async function outlast<T>(work: () => Promise<T>): Promise<T> {
  for (const pause of pauses) {
    try {
      return await work();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return work();
}
