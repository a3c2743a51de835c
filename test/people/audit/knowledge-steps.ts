import { zipSync } from "fflate";
import { files } from "../../../src/documents/files/tables.ts";
import { newId } from "../../../src/lib/id.ts";
import type { Person, World } from "../../world.ts";
import type { Step } from "./step.ts";

const base = "/api/v1/knowledge";

/** Files with a text, for what is put into bases. @returns their ids by the names that the steps have for them */
export async function storeReadFiles({ db }: World, owner: Person): Promise<Record<string, string>> {
  const names = ["tides", "ebb", "flood", "ships"];
  const made = Object.fromEntries(names.map((name) => [name, newId()]));
  await db.insert(files).values(
    names.map((name) => ({
      id: made[name]!,
      userId: owner.id,
      chatId: null,
      filename: `${name}.txt`,
      contentType: "text/plain",
      size: 1,
      sha256: name,
      // What could not be read anew keeps the text that it has.
      ...(name === "ships"
        ? { state: "failed" as const, errorCode: "file_timeout", error: "Late" }
        : { state: "completed" as const }),
      version: 1,
      textSha256: name,
      chunkCount: 1,
      createdAt: 0,
    })),
  );
  return made;
}

const step = (route: string, actions: string[], body: Step["body"]): Step => ({
  who: "admin",
  route: `POST ${base}/:id/${route}`,
  actions: actions.map((action) => `knowledge.${action}`),
  of: "base",
  ...(body ? { body } : {}),
});

/** Knowledge bases: made, shared, filled, put in order, attached to a model, emptied, deleted. */
export const knowledgeSteps: Step[] = [
  // With the model that was chosen before.
  { who: "admin", route: `POST ${base}/reindex`, actions: ["index.rebuilt"] },
  {
    who: "admin",
    route: `POST ${base}/create`,
    actions: ["knowledge.created"],
    makes: "base",
    body: () => ({ name: "Harbour", description: "Tides" }),
  },
  {
    who: "admin",
    route: `POST ${base}/import`,
    actions: ["knowledge.imported"],
    form: () =>
      new Blob([zipSync({ "tides.txt": new TextEncoder().encode("High at eight") }) as Uint8Array<ArrayBuffer>]),
  },
  step("update", ["updated"], () => ({ name: "Port" })),
  step("access/update", ["updated"], () => ({
    access_grants: [{ principal_type: "user", principal_id: "*", permission: "read" }],
  })),
  { ...step("dirs/create", ["directory_created"], () => ({ name: "a" })), makes: "dir_id" },
  step("dirs/:dir_id/update", ["directory_updated"], () => ({ name: "b" })),
  step("file/add", ["file_added"], ({ tides }) => ({ file_id: tides })),
  step(
    "files/batch/add",
    ["file_added", "file_added", "file_added"],
    ({ ebb, flood, ships }) => [ebb, flood, ships].map((id) => ({ file_id: id })) as never,
  ),
  step("file/move", ["file_moved"], ({ tides, dir_id }) => ({ file_id: tides, directory_id: dir_id })),
  {
    who: "admin",
    route: "POST /api/v1/models/model/knowledge?id=parley-guide",
    actions: ["model.knowledge_updated"],
    body: ({ base: id }) => ({ organization_id: null, items: [{ type: "collection", id }] }),
  },
  {
    ...step("file/update", [], ({ ships }) => ({ file_id: ships })),
    actions: ["file.process_requested"],
  },
  step("file/remove", ["file_removed"], ({ ebb }) => ({ file_id: ebb })),
  step("sync/cleanup", ["files_removed"], ({ flood }) => ({ file_ids: [flood] })),
  {
    who: "admin",
    route: `DELETE ${base}/:id/dirs/:dir_id/delete`,
    actions: ["knowledge.directory_deleted"],
    of: "base",
  },
  step("reset", ["files_removed", "emptied"], undefined),
  { who: "admin", route: `DELETE ${base}/:id/delete`, actions: ["knowledge.deleted"], of: "base" },
];
