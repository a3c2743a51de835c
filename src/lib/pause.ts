import type { StopSignal } from "./stop-signal.ts";

/** Resolves after the time, in milliseconds. @throws the signal's reason as soon as it fires */
export function pause(milliseconds: number, signal: StopSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    const end = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", end);
      resolve();
    }, milliseconds);
    signal.addEventListener("abort", end);
  });
}
