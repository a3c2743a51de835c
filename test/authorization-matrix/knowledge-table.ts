import {
  always,
  both,
  everyone,
  filter,
  forId,
  keeper,
  owner,
  reference,
  systemAdmin,
  type Cell,
  type Outcome,
  type Row,
} from "./cells.ts";

const list: Row = { may: everyone };
const base = "/api/v1/knowledge";

const one: Row = { ids: { id: "knowledge base" }, may: keeper };

/** A file in a body: one's own, and of system administrators everybody's. */
const fileOf = ({ caller, variant }: Cell): Outcome => {
  if (variant === "own") return "ok";
  if (variant === "malformed") return [400, 404, 422];
  return variant !== "deleted" && caller === "system admin" ? "ok" : 404;
};
const withFile = (say: (fileId: string) => unknown): Row => ({
  ids: { id: "knowledge base", file_id: "file" },
  say: ({ file_id }) => ({ json: say(file_id!) }),
  may: forId({ file_id: fileOf }, keeper),
});
/** A file that must be in the base named: what is one's own is in none of the others. */
const heldFile = (say: (fileId: string) => unknown): Row => ({
  ids: { id: "knowledge base", file_id: "held file" },
  say: ({ file_id }) => ({ json: say(file_id!) }),
  may: owner,
});
/** A directory that must be in the base named. */
const directory: Row = { ids: { id: "knowledge base", dir_id: "directory" }, may: owner };

const modelKnowledge: Row = {
  ids: { id: "model" },
  say: ({ id = "" }) => ({ query: { id }, json: { organization_id: null, items: [] } }),
  may: (cell) => {
    // Whatever a provider may list some day: system administrators alone say something of it.
    if (cell.caller === "system admin") return cell.variant === "malformed" ? [200, 422] : "ok";
    return owner(cell);
  },
};

/** Knowledge bases, their files and directories, and what models look things up in, as rows of the table. */
export const knowledgeTable: Readonly<Record<string, Row>> = {
  [`GET ${base}`]: list,
  [`GET ${base}/`]: list,
  [`GET ${base}/search`]: list,
  [`GET ${base}/search/files`]: list,
  // The body is no zip file: they get that far.
  [`POST ${base}/import`]: { may: always(400) },
  [`POST ${base}/create`]: {
    ids: { principal_id: "user" },
    say: ({ principal_id }) => ({
      json: { name: "New", access_grants: [{ principal_type: "user", principal_id, permission: "read" }] },
    }),
    may: reference,
  },
  // No model is chosen here: there is nothing to build.
  [`POST ${base}/reindex`]: { may: (cell) => (systemAdmin(cell) === "ok" ? 409 : 403) },
  [`GET ${base}/:id`]: one,
  [`POST ${base}/:id/update`]: { ...one, say: () => ({ json: { name: "Renamed" } }) },
  [`POST ${base}/:id/access/update`]: {
    ids: { id: "knowledge base", principal_id: "user" },
    say: ({ principal_id }) => ({
      json: { access_grants: [{ principal_type: "user", principal_id, permission: "read" }] },
    }),
    may: forId({ principal_id: reference }, keeper),
  },
  [`POST ${base}/:id/reset`]: one,
  [`DELETE ${base}/:id/delete`]: one,
  [`GET ${base}/:id/export`]: one,
  [`GET ${base}/:id/files`]: one,
  [`GET ${base}/:id/files/pending`]: one,
  [`POST ${base}/:id/file/add`]: withFile((file_id) => ({ file_id })),
  // Whoever adds many is told of each what came of it.
  [`POST ${base}/:id/files/batch/add`]: {
    ...withFile((file_id) => [{ file_id }]),
    may: forId({ file_id: both(everyone, filter) }, keeper),
  },
  [`POST ${base}/:id/file/update`]: heldFile((file_id) => ({ file_id })),
  [`POST ${base}/:id/file/remove`]: heldFile((file_id) => ({ file_id })),
  [`POST ${base}/:id/file/move`]: heldFile((file_id) => ({ file_id, directory_id: null })),
  [`POST ${base}/:id/dirs/create`]: { ...one, say: () => ({ json: { name: `name-${crypto.randomUUID()}` } }) },
  [`POST ${base}/:id/dirs/:dir_id/update`]: { ...directory, say: () => ({ json: { name: "Renamed" } }) },
  [`DELETE ${base}/:id/dirs/:dir_id/delete`]: directory,
  [`POST ${base}/:id/sync/diff`]: { ...one, say: () => ({ json: { files: [] } }) },
  [`POST ${base}/:id/sync/cleanup`]: { ...one, say: () => ({ json: { file_ids: [] } }) },
  "GET /api/v1/models/model/knowledge": { ...modelKnowledge, say: ({ id = "" }) => ({ query: { id } }) },
  "POST /api/v1/models/model/knowledge": modelKnowledge,
};
