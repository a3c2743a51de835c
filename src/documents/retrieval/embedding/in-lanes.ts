/**
 * Does a piece of work for each item, some at the same time. After a failure nothing more is begun; what is under way comes to
 * its end first.
 * @throws the first failure; the signal's reason when that ends it
 */
export async function inLanes<T>(
  items: Iterable<T>,
  lanes: number,
  signal: AbortSignal,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items[Symbol.iterator]();
  let failed: { error: unknown } | undefined;
  const lane = async () => {
    while (!failed && !signal.aborted) {
      const { done, value } = waiting.next();
      if (done) return;
      try {
        await work(value);
      } catch (error) {
        failed ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  if (failed) throw failed.error;
  signal.throwIfAborted();
}
