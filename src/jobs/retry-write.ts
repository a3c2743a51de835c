/** Milliseconds between tries: a database that is started again is back within them. */
const pausesMs = [250, 500, 1000, 2000, 4000];

/** Repeats a write while the database is unavailable; permanent errors are thrown. */
export async function retryWrite<T>(work: () => Promise<T>): Promise<T> {
  for (const pause of pausesMs) {
    try {
      return await work();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return work();
}
