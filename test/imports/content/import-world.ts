import type { ImportView, RecordResult } from "../../../src/imports/schema.ts";
import { importItems } from "../../../src/imports/tables.ts";
import type { ImportTarget } from "../../../src/shared/moving-in/import-target.ts";
import { contentReaders } from "../../../src/shared/moving-in/open-webui/content-readers.ts";
import type { Reader, Reading } from "../../../src/shared/moving-in/row-source.ts";
import { runImport } from "../../../src/shared/moving-in/run-import.ts";
import { createWorld, type Person, type World, type WorldOptions } from "../../world.ts";

export interface ImportWorld extends World {
  importId: string;
  grace: Person;
  /** Says that a person of the source is this one here. */
  know(sourceId: string, person: { id: string }, kind?: string): Promise<void>;
  post(records: readonly Record<string, unknown>[], more?: Record<string, unknown>): Promise<RecordResult[]>;
  putFile(id: string, body: BodyInit, query: Record<string, string>): Promise<{ status: number; body: RecordResult }>;
  /** Brings what a database has, as the command does. */
  bring(reading: Reading, readers?: readonly Reader[]): Promise<RecordResult[]>;
}

let number = 0;

export async function createImportWorld(options: WorldOptions = {}): Promise<ImportWorld> {
  const world = await createWorld(options);
  const grace = await world.admin();
  const begun = await world.call<ImportView>("/api/v1/imports", {
    as: grace,
    json: { source: "open-webui", fingerprint: `source ${(number += 1)}`, name: "webui.db" },
  });
  const importId = begun.body.id;
  const post: ImportWorld["post"] = async (records, more = {}) => {
    const path = `/api/v1/imports/${importId}/records`;
    const { status, body } = await world.call<{ results: RecordResult[] }>(path, {
      as: grace,
      json: { records, ...more },
    });
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
    return body.results;
  };
  const putFile: ImportWorld["putFile"] = async (id, body, query) => {
    const search = new URLSearchParams(query).toString();
    const path = `/api/v1/imports/${importId}/files/${encodeURIComponent(id)}?${search}`;
    const init = { as: grace, method: "PUT", body, ...(body instanceof ReadableStream ? { duplex: "half" } : {}) };
    return world.call<RecordResult>(path, init);
  };
  return Object.assign(world, {
    importId,
    grace,
    async know(sourceId: string, { id: targetId }: { id: string }, kind = "person") {
      const item = { state: "created", notes: [], at: 0 } as const;
      await world.db.insert(importItems).values({ importId, kind, sourceId, targetId, ...item, notes: [] });
    },
    post,
    putFile,
    async bring(reading: Reading, readers: readonly Reader[] = contentReaders) {
      const results: RecordResult[] = [];
      const target: ImportTarget = {
        begin: async () => importId,
        send: async (_, records) => post(records.map((text) => JSON.parse(text) as Record<string, unknown>)),
        async upload(_, { id, ...file }, open) {
          const opened = await open();
          if (!opened) return undefined;
          const query = Object.fromEntries(Object.entries(file).map(([key, value]) => [key, String(value)]));
          return (await putFile(id, opened.body, query)).body;
        },
      };
      const onOutcome = (result: RecordResult) => void results.push(result);
      const options = { mergeByEmail: false, dryRun: false, onOutcome, onProgress: () => undefined };
      await runImport({ readers, reading, target, importId, ...options });
      return results;
    },
  });
}
