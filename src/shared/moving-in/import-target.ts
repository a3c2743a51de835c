import type { ImportedFile, OpenFile } from "./row-source.ts";

/** What became of a record, as the import API answers. */
export interface RecordResult {
  kind: string;
  id: string;
  state: "begun" | "created" | "changed" | "matched" | "left_out" | "failed";
  earlier: boolean;
  target_id: string | null;
  notes: string[];
}

/** The service does not take any more: nothing that comes later would be taken either. */
export class ImportStopped extends Error {}

/** The service refuses this request, and would refuse it again. */
export class RequestRefused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The import API of a running service. */
export interface ImportTarget {
  begin(input: { source: string; fingerprint: string; name: string }): Promise<string>;
  /** @param records each as JSON. @throws RequestRefused, ImportStopped */
  send(importId: string, records: readonly string[], options: SendOptions): Promise<RecordResult[]>;
  /** @throws RequestRefused, ImportStopped */
  upload(
    importId: string,
    file: ImportedFile,
    open: () => Promise<OpenFile | undefined>,
  ): Promise<RecordResult | undefined>;
}

export interface SendOptions {
  mergeByEmail: boolean;
  dryRun: boolean;
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

export function httpTarget({ url, key, signal, onWait }: Endpoint): ImportTarget {
  const base = `${url.replace(/\/+$/, "")}/api/v1/imports`;
  const authorization: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };

  /** Asks until there is an answer. @param init made for each attempt, because a stream can be read only once */
  async function ask<T>(path: string, init: () => Promise<RequestInit | undefined>): Promise<T | undefined> {
    const since = Date.now();
    for (let attempt = 0; ; attempt += 1) {
      const request = await init();
      if (request === undefined) return undefined;
      const headers = { ...authorization, ...(request.headers as Record<string, string>) };
      const answer = await fetch(base + path, { ...request, headers, signal }).catch((error: unknown) => {
        signal.throwIfAborted();
        return error as Error;
      });
      if (!(answer instanceof Error) && answer.ok) return (await answer.json()) as T;
      const status = answer instanceof Error ? 0 : answer.status;
      const reason = answer instanceof Error ? causeOf(answer) : await detailOf(answer);
      if (status === 401 || status === 403) throw new ImportStopped(`The service refuses the key: ${reason}`);
      if (status !== 0 && status < 500 && status !== 429 && status !== 408) throw new RequestRefused(status, reason);
      if (status === 507) throw new ImportStopped(reason);
      if (Date.now() - since > maxAwayMs) throw new ImportStopped(`The service does not answer: ${reason}`);
      const asked = answer instanceof Error ? 0 : Number(answer.headers.get("retry-after") ?? 0) * 1000;
      const pauseMs = Math.min(maxPauseMs, Math.max(asked || 0, 500 * 2 ** Math.min(attempt, 6)));
      onWait?.(reason, pauseMs / 1000);
      await pause(pauseMs, signal);
    }
  }

  const post = async <T>(path: string, body: string) =>
    (await ask<T>(path, async () => ({ method: "POST", headers: { "content-type": "application/json" }, body })))!;

  return {
    async begin(input) {
      return (await post<{ id: string }>("", JSON.stringify(input))).id;
    },
    async send(importId, records, { mergeByEmail, dryRun }) {
      const options = `"merge_by_email":${mergeByEmail},"dry_run":${dryRun}`;
      const body = `{${options},"records":[${records.join(",")}]}`;
      return (await post<{ results: RecordResult[] }>(`/${importId}/records`, body)).results;
    },
    async upload(importId, { id, ...file }, open) {
      const query = new URLSearchParams(
        Object.entries(file).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
      );
      return ask<RecordResult>(`/${importId}/files/${encodeURIComponent(id)}?${query.toString()}`, async () => {
        const opened = await open();
        if (!opened) return undefined;
        const headers = { "content-type": "application/octet-stream", "content-length": String(opened.size) };
        return { method: "PUT", headers, body: opened.body, duplex: "half" } as RequestInit;
      });
    },
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
