import { isRecord, tryParseJson } from "../../lib/json.ts";

/** How far a runtime is with a model. */
export interface PullProgress {
  /** The runtime's own word. */
  status: string;
  /** Bytes of all layers that it has spoken of. */
  completed: number;
  total: number;
  /** It has the model. */
  isDone: boolean;
  /** It says that it cannot have it. */
  error: string | undefined;
}

/** A model has a handful of layers. */
const maxLayers = 1000;

/**
 * Sums up what a runtime tells of a pull (https://docs.ollama.com/api/pull): a line for each step, `{status, digest, total, completed}`
 * while a layer comes, `{status: "success"}` or `{error}` at the end.
 */
export function createPullProgress(): (line: string) => PullProgress {
  const layers = new Map<string, { completed: number; total: number }>();
  const progress: PullProgress = { status: "", completed: 0, total: 0, isDone: false, error: undefined };
  return (line) => {
    const said = tryParseJson(line);
    if (!isRecord(said)) return progress;
    const { status, digest, error } = said;
    if (typeof error === "string" && error !== "") progress.error = error.slice(0, 2000);
    if (typeof status === "string") progress.status = status.slice(0, 200);
    if (status === "success") progress.isDone = true;
    if (typeof digest === "string" && (layers.has(digest) || layers.size < maxLayers)) {
      const before = layers.get(digest);
      const total = count(said["total"]) ?? before?.total ?? 0;
      const completed = count(said["completed"]) ?? before?.completed ?? 0;
      layers.set(digest, { total, completed: Math.min(completed, total) });
      progress.total += total - (before?.total ?? 0);
      progress.completed += Math.min(completed, total) - (before?.completed ?? 0);
    }
    return progress;
  };
}

function count(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 && value < 1e15 ? Math.floor(value) : undefined;
}
