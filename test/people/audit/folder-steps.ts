import type { Step } from "./step.ts";

const base = "/api/v1/folders";

/** A folder, and one in it: made, changed, moved, shared, deleted. */
export const folderSteps: Step[] = [
  {
    who: "admin",
    route: `POST ${base}`,
    actions: ["folder.created"],
    makes: "folder",
    body: () => ({ name: "Harbour", data: { system_prompt: "Be brief." } }),
  },
  {
    who: "admin",
    route: `POST ${base}/`,
    actions: ["folder.created"],
    makes: "inner",
    body: ({ folder }) => ({ name: "Quay", parent_id: folder }),
  },
  {
    who: "admin",
    route: `POST ${base}/:id/update`,
    actions: ["folder.updated"],
    of: "folder",
    body: () => ({ name: "Port", data: { model_ids: ["parley-guide"], files: [] }, meta: { icon: "ship" } }),
  },
  {
    who: "admin",
    route: `POST ${base}/:id/update/parent`,
    actions: ["folder.moved"],
    of: "inner",
    body: () => ({ parent_id: null }),
  },
  {
    who: "admin",
    route: `POST ${base}/:id/access/update`,
    actions: ["folder.access_updated"],
    of: "folder",
    body: () => ({ access_grants: [{ principal_type: "user", principal_id: "*", permission: "read" }] }),
  },
  { who: "admin", route: `DELETE ${base}/:id`, actions: ["folder.deleted"], of: "folder" },
];
