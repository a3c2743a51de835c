/** Runs a listener. What it throws is reported as an uncaught error, so the ones after it are told all the same. */
export function runListener(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
