/** So many are loaded at the same time. */
const atOnce = 4;

/** @throws what the work throws, when all that had begun has ended */
export async function inTurns<T>(items: readonly T[], work: (item: T, index: number) => Promise<void>): Promise<void> {
  const queue = items.entries();
  const results = await Promise.allSettled(
    Array.from({ length: atOnce }, async () => {
      for (const [index, item] of queue) await work(item, index);
    }),
  );
  for (const result of results) if (result.status === "rejected") throw result.reason;
}
