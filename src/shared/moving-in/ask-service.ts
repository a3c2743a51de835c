/** The service answers no more: nothing that comes later would be answered either. */
export class RunStopped extends Error {}

/** The service refuses this request, and would refuse it again. */
export class RequestRefused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface Endpoint {
  /** Address of the service, with its base path; "" for that of the page. */
  url: string;
  /** An administrator's API key or token; undefined where a cookie does it. */
  key?: string | undefined;
  signal: AbortSignal;
  /** Told while the service cannot be reached or asks for patience. */
  onWait?: (reason: string, seconds: number) => void;
}

/** Milliseconds for which a service that is away is asked again. */
const maxAwayMs = 10 * 60_000;
const maxPauseMs = 30_000;

/**
 * Asks a running service until there is an answer.
 * @returns a function for paths below the given one; its `init` is called for each attempt, because a stream can be read only once, and
 *   may decide that there is nothing to ask
 */
export function askService({ url, key, signal, onWait }: Endpoint, below: string) {
  const base = url.replace(/\/+$/, "") + below;
  const authorization: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };

  /** @throws RequestRefused, RunStopped */
  return async (path: string, init: () => Promise<RequestInit | undefined>): Promise<Response | undefined> => {
    const since = Date.now();
    for (let attempt = 0; ; attempt += 1) {
      const request = await init();
      if (request === undefined) return undefined;
      const headers = { ...authorization, ...(request.headers as Record<string, string>) };
      const answer = await fetch(base + path, { ...request, headers, signal }).catch((error: unknown) => {
        signal.throwIfAborted();
        return error as Error;
      });
      if (!(answer instanceof Error) && answer.ok) return answer;
      const status = answer instanceof Error ? 0 : answer.status;
      const reason = answer instanceof Error ? causeOf(answer) : await detailOf(answer);
      if (status === 401 || status === 403) throw new RunStopped(`The service refuses the key: ${reason}`);
      if (status !== 0 && status < 500 && status !== 429 && status !== 408) throw new RequestRefused(status, reason);
      if (status === 507) throw new RunStopped(reason);
      if (Date.now() - since > maxAwayMs) throw new RunStopped(`The service does not answer: ${reason}`);
      const asked = answer instanceof Error ? 0 : Number(answer.headers.get("retry-after") ?? 0) * 1000;
      const pauseMs = Math.min(maxPauseMs, Math.max(asked || 0, 500 * 2 ** Math.min(attempt, 6)));
      onWait?.(reason, pauseMs / 1000);
      await pause(pauseMs, signal);
    }
  };
}

async function detailOf(answer: Response): Promise<string> {
  const text = await answer.text().catch(() => "");
  try {
    const { detail } = JSON.parse(text) as { detail?: unknown };
    if (typeof detail === "string") return detail;
    const [first] = detail as { msg: string }[];
    if (first) return first.msg;
  } catch {
    // Not from the service itself.
  }
  return `${answer.status} ${answer.statusText}`.trim();
}

function causeOf(error: Error): string {
  return error.cause instanceof Error ? error.cause.message || error.message : error.message;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", end);
      resolve();
    }, ms);
    signal.addEventListener("abort", end, { once: true });
  });
}
