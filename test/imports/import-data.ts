import { openSqlite } from "../../scripts/import/sqlite-source.ts";
import { openUploads } from "../../scripts/import/uploads.ts";
import { RequestRefused } from "../../src/shared/moving-in/ask-service.ts";
import type { ImportTarget, RecordResult } from "../../src/shared/moving-in/import-target.ts";
import { openWebuiFingerprint } from "../../src/shared/moving-in/open-webui/fingerprint.ts";
import { openWebuiReaders } from "../../src/shared/moving-in/open-webui/readers.ts";
import { runImport } from "../../src/shared/moving-in/run-import.ts";
import type { Person, World } from "../world.ts";

/** The import API of a world, as an administrator. @param fail called before each request; throws to break off */
export function worldTarget(world: World, as: Person, fail: () => void): ImportTarget {
  async function call<T>(path: string, options: Parameters<World["call"]>[1]): Promise<T> {
    fail();
    const { status, body } = await world.call<T & { detail?: string }>(`/api/v1/imports${path}`, { as, ...options });
    if (status === 200) return body;
    if (status >= 500) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    throw new RequestRefused(status, body.detail ?? String(status));
  }
  return {
    begin: async (json) => (await call<{ id: string }>("", { json })).id,
    async send(id, records, { mergeByEmail, dryRun }) {
      const body = `{"merge_by_email":${mergeByEmail},"dry_run":${dryRun},"records":[${records.join(",")}]}`;
      const options = { method: "POST", body, headers: { "content-type": "application/json" } };
      return (await call<{ results: RecordResult[] }>(`/${id}/records`, options)).results;
    },
    async upload(id, { id: file, ...fields }, open) {
      const opened = await open();
      if (!opened) return undefined;
      const query = new URLSearchParams(
        Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
      );
      const bytes = new Uint8Array(await new Response(opened.body).arrayBuffer());
      const path = `/${id}/files/${encodeURIComponent(file)}?${query.toString()}`;
      return call<RecordResult>(path, { method: "PUT", body: bytes });
    },
  };
}

/** Imports a folder of data as the command does. @returns what became of each record */
export async function importData(
  world: World,
  as: Person,
  folder: string,
  { mergeByEmail = false, dryRun = false, fail = () => {} } = {},
): Promise<RecordResult[]> {
  const source = openSqlite(`${folder}/webui.db`);
  const outcomes: RecordResult[] = [];
  try {
    const target = worldTarget(world, as, fail);
    const fingerprint = (await openWebuiFingerprint(source))!;
    const importId = await target.begin({ source: "open-webui", fingerprint, name: "webui.db" });
    await runImport({
      readers: openWebuiReaders,
      reading: { source, uploads: openUploads(`${folder}/uploads`, {}) },
      target,
      importId,
      mergeByEmail,
      dryRun,
      onOutcome: (outcome) => outcomes.push(outcome),
      onProgress: () => undefined,
    });
    return outcomes;
  } finally {
    await source.close();
  }
}
