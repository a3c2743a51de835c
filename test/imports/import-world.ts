import { createWorld, type Person, type World } from "../world.ts";

export interface Result {
  kind: string;
  id: string;
  state: string;
  earlier: boolean;
  target_id: string | null;
  notes: string[];
}

export interface ImportWorld extends World {
  administrator: Person;
  /** Sends records; every answer has to be a success. */
  send(records: object[], options?: { merge_by_email?: boolean; dry_run?: boolean }): Promise<Result[]>;
  /** The rows of a statement. */
  rows(sql: string, ...args: (string | number | null)[]): Promise<Record<string, unknown>[]>;
}

/** A service into which something is imported. */
export async function createImportWorld(environment: Record<string, string> = {}): Promise<ImportWorld> {
  const world = await createWorld({ environment });
  const administrator = await world.admin();
  const begun = await world.call<{ id: string }>("/api/v1/imports", {
    as: administrator,
    json: { source: "open-webui", fingerprint: "harbour", name: "webui.db" },
  });
  return Object.assign(world, {
    administrator,
    async send(records: object[], options: object = {}) {
      const { status, body } = await world.call<{ results: Result[] }>(`/api/v1/imports/${begun.body.id}/records`, {
        as: administrator,
        json: { records, ...options },
      });
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
      return body.results;
    },
    async rows(sql: string, ...args: (string | number | null)[]) {
      const { rows } = await world.client.execute({ sql, args });
      return rows.map((row) => ({ ...row }));
    },
  });
}

export const ada = {
  kind: "person",
  id: "0b8f3c4e-ada0-4000-8000-000000000001",
  name: "Ada Lovelace",
  email: "Ada@Harbour.example",
  role: "user",
};
export const bo = { ...ada, id: "0b8f3c4e-b0b0-4000-8000-000000000002", name: "Bo", email: "bo@harbour.example" };
