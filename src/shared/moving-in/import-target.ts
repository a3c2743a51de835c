import { askService, type Endpoint } from "./ask-service.ts";
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

/** The import API of a running service. */
export interface ImportTarget {
  begin(input: { source: string; fingerprint: string; name: string }): Promise<string>;
  /** @param records each as JSON. @throws RequestRefused, RunStopped */
  send(importId: string, records: readonly string[], options: SendOptions): Promise<RecordResult[]>;
  /** @throws RequestRefused, RunStopped */
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

export function httpTarget(endpoint: Endpoint): ImportTarget {
  const asked = askService(endpoint, "/api/v1/imports");
  const ask = async <T>(path: string, init: () => Promise<RequestInit | undefined>) =>
    (await (await asked(path, init))?.json()) as T | undefined;
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
