/** How often a process is asked. */
const everyMs = 2000;
/** A process that answers nothing for so long is replaced. */
export const maxSilenceMs = 20_000;

/**
 * Asks a process again and again, and calls `onSilent` once when no question has been answered for 20 s. Silence is counted in
 * questions, not by the clock: while the machine sleeps, or the launcher itself gets no processor time, nothing is asked and nothing counts.
 * @param answers resolves with whether the process answered; a late answer counts too
 * @returns what ends it
 */
export function watch(answers: () => Promise<boolean>, onSilent: () => void): () => void {
  let unanswered = 0;
  const timer = setInterval(() => {
    if (unanswered * everyMs >= maxSilenceMs) {
      clearInterval(timer);
      onSilent();
      return;
    }
    unanswered += 1;
    void answers().then((answered) => {
      if (answered) unanswered = 0;
    });
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
