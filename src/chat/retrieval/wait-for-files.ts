import type { Context } from "../../context.ts";
import { pause } from "../../lib/pause.ts";
import type { StatusText } from "../../shared/status-words.ts";
import { throwIfAborted } from "./abort.ts";
import { findDocuments, isSearchable, type KnownFile } from "./find-documents.ts";

/** Milliseconds between two checks: short at first, because most files take less than a second. */
const firstPauseMs = 150;
const maxPauseMs = 1000;

export interface Waiting {
  /** Milliseconds. */
  timeoutMs: number;
  signal: AbortSignal;
  /** Called when what is said about pending files changes. */
  onProgress(text: StatusText): void;
}

/**
 * Waits until all files are searchable or failed, or until the time is over: people ask about files right after
 * attaching them.
 * @returns the files in their new state, without deleted ones
 * @throws UpstreamError when the signal fires
 */
export async function waitForFiles(
  ctx: Context,
  waited: readonly KnownFile[],
  { timeoutMs, signal, onProgress }: Waiting,
): Promise<Map<string, KnownFile>> {
  let files = new Map(waited.map((file) => [file.id, file]));
  const until = Date.now() + timeoutMs;
  let before = "";
  for (let between = firstPauseMs; ; between = Math.min(between * 1.5, maxPauseMs)) {
    const open = [...files.values()].filter(isAwaited);
    if (open.length === 0 || Date.now() >= until) return files;
    const text = describeReading(open);
    if (text && String(text) !== before) onProgress(text);
    before = String(text);
    await pause(Math.min(between, Math.max(0, until - Date.now())), signal).catch(() => throwIfAborted(signal));
    const seen = await findDocuments(ctx, { files: open.map(({ id }) => id), collections: [] });
    const gone = new Set(open.flatMap(({ id }) => (seen.files.has(id) ? [] : [id])));
    files = new Map([...files, ...seen.files].filter(([id]) => !gone.has(id)));
  }
}

/** Whether its first text is on its way. */
export function isAwaited(file: KnownFile): boolean {
  return file.state === "pending" && !isSearchable(file);
}

/** The processing state of files in words: "Reading report.pdf, page 3 of 12". */
export function describeReading([first, ...rest]: readonly KnownFile[]): StatusText | undefined {
  if (!first) return undefined;
  const { filename, stage, progressDone: done, progressTotal: total, progressUnit: unit } = first;
  const more = rest.length;
  if (stage !== "embedding" && stage !== "extracting") return ["waitingFor", filename, more];
  const doing = stage === "embedding" ? "preparing" : "reading";
  if (unit === null || done === 0) return [doing, filename, more, "percent", 0, 0];
  if (unit !== "bytes") return [doing, filename, more, unit, done, total ?? 0];
  return [doing, filename, more, "percent", total ? Math.min(100, Math.floor((100 * done) / total)) : 0, 0];
}
