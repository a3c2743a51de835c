import { createHash } from "node:crypto";
import type { ExportView } from "../../../src/life/export/schema.ts";
import type { RecordResult } from "../../../src/shared/moving-in/import-target.ts";
import { type ExportManifest, exportFormat, exportVersion } from "../../../src/shared/moving-in/parley/manifest.ts";
import { parleyReaders } from "../../../src/shared/moving-in/parley/readers.ts";
import type { Row } from "../../../src/shared/moving-in/row-source.ts";
import { runImport } from "../../../src/shared/moving-in/run-import.ts";
import { worldTarget } from "../../imports/import-data.ts";
import type { Person, World } from "../../world.ts";

export type ExportedRow = Record<string, unknown> & { kind: string; id: string };

export interface Exported {
  view: ExportView;
  records: Map<string, ExportedRow[]>;
  bytes: Map<string, Uint8Array<ArrayBuffer>>;
}

export async function begin(world: World, as: Person, wanted: object): Promise<ExportView> {
  const { status, body } = await world.call<ExportView>("/api/v1/exports", { as, json: wanted });
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body;
}

/** All pages of one kind. */
export async function readKind(world: World, as: Person, id: string, kind: string): Promise<ExportedRow[]> {
  const rows: ExportedRow[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const query: string = cursor === "" ? "" : `?cursor=${encodeURIComponent(cursor)}`;
    const answer = await world.request(`/api/v1/exports/${id}/records/${kind}${query}`, { as });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${kind}: ${answer.status} ${text}`);
    rows.push(
      ...text
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as ExportedRow),
    );
    cursor = answer.headers.get("x-next-cursor");
  }
  return rows;
}

/** Everything of an export, as the command reads it. */
export async function exportAll(world: World, as: Person, wanted: object = { scope: "service" }): Promise<Exported> {
  const view = await begin(world, as, wanted);
  const records = new Map<string, ExportedRow[]>();
  for (const { kind } of view.kinds.toReversed()) records.set(kind, await readKind(world, as, view.id, kind));
  const bytes = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const { id } of records.get("file") ?? []) {
    const answer = await world.request(`/api/v1/exports/${view.id}/files/${id}`, { as });
    if (answer.status === 200) bytes.set(id, new Uint8Array(await answer.arrayBuffer()));
  }
  return { view, records, bytes };
}

/** Imports it as the command does. */
export async function importAll(
  world: World,
  as: Person,
  { view, records, bytes }: Exported,
  { mergeByEmail = false, dryRun = false, fail = () => {} } = {},
): Promise<RecordResult[]> {
  const entry = (kind: string) => ({ kind, file: `${kind}.jsonl`, records: 0, bytes: 0, sha256: "" });
  const manifest: ExportManifest = {
    format: exportFormat,
    version: exportVersion,
    source: view.source,
    scope: view.scope,
    secrets: view.secrets,
    created_at: view.created_at,
    complete: true,
    kinds: view.kinds.map(({ kind }) => entry(kind)),
    left_out: view.left_out,
  };
  const outcomes: RecordResult[] = [];
  const target = worldTarget(world, as, fail);
  const importId = await target.begin({ source: "parley", fingerprint: view.source, name: "another Parley" });
  await runImport({
    readers: parleyReaders(manifest),
    reading: {
      source: {
        columns: async () => new Set(["id"]),
        async *rows(kind) {
          yield* (records.get(kind) ?? []) as Row[];
        },
        rowsOf: async () => [],
        count: async (kind) => records.get(kind)?.length ?? 0,
      },
      uploads: {
        async open(path) {
          const found = bytes.get(path.replace("files/", ""));
          if (!found) return undefined;
          const sha256 = async () => createHash("sha256").update(found).digest("hex");
          return { size: found.length, body: new Blob([found]).stream(), sha256 };
        },
      },
    },
    target,
    importId,
    mergeByEmail,
    dryRun,
    onOutcome: (outcome) => outcomes.push(outcome),
    onProgress: () => undefined,
  });
  return outcomes;
}
