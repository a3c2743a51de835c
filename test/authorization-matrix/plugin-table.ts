import { smallSources } from "../plugins/stored-plugin.ts";
import { makeWheel } from "../plugins/wheels.ts";
import {
  both,
  everyone,
  existing,
  filter,
  forId,
  managers,
  managersAlone,
  managersOf,
  ownerOrSystemAdmin,
  reference,
  systemAdmin,
  systemAdminOf,
  type Row,
} from "./cells.ts";

const list: Row = { may: everyone };
const toolServer: Row = { ids: { id: "tool server" }, may: managersAlone };
/** An organization's administrators keep the servers of their own; which others there are is not said to them. */
const placeOfServer =
  (others: number): Row["may"] =>
  (cell) => {
    if (cell.caller === "system admin") return reference(cell);
    const isOwn = cell.variant === "own" || cell.variant === "foreign";
    if (managers(cell) === "ok") return isOwn ? "ok" : 403;
    return cell.variant === "malformed" ? [others, 422] : others;
  };

/** Functions belong to the service; everyone uses those that are on. */
const aFunction: Row = { ids: { id: "function" }, may: systemAdminOf };
const usedFunction: Row = { ids: { id: "function" }, may: existing };
const aTool: Row = { ids: { id: "tool" }, may: ownerOrSystemAdmin };
const word = () => ({ json: { word: "moored" } });
const newPluginId = () => `new_${crypto.randomUUID().replaceAll("-", "_")}`;
const aWheel = (name: string) => new File([makeWheel(name, "1.0")], `${name}-1.0-py3-none-any.whl`);
const wheelForm = (organizationId = "") => {
  const form = new FormData();
  form.append("file", aWheel(newPluginId()));
  form.append("organization_id", organizationId);
  return form;
};
/** Whoever imports is told of each what came of it. */
const imported: Row["may"] = ({ variant }) => (variant === "malformed" ? [200, 422] : "ok");
const pluginRows = (family: "function" | "tool", one: Row, used: Row): Record<string, Row> => {
  const base = `/api/v1/${family}s`;
  const makers = family === "function" ? systemAdmin : everyone;
  const content = smallSources[family];
  return {
    [`POST ${base}/create`]: {
      say: () => ({ json: { id: newPluginId(), name: "New", content } }),
      may: makers,
    },
    [`POST ${base}/load/url`]: {
      say: () => ({ json: { url: "no address" } }),
      may: (cell) => (cell.caller === "system admin" ? 400 : 403),
    },
    [`POST ${base}/check`]: { say: () => ({ json: { content } }), may: makers },
    [`POST ${base}/import`]: {
      ids: { id: family },
      say: ({ id }) => ({ json: { [`${family}s`]: [{ id, name: "Imported", content }] } }),
      may: both(makers, imported),
    },
    [`GET ${base}/export`]: { may: makers },
    [`GET ${base}/list`]: list,
    [`GET ${base}`]: list,
    [`GET ${base}/`]: list,
    [`GET ${base}/id/:id`]: one,
    [`POST ${base}/id/:id/update`]: { ...one, say: () => ({ json: { name: "Renamed", content: `${content}\n` } }) },
    [`DELETE ${base}/id/:id/delete`]: one,
    [`GET ${base}/id/:id/versions`]: one,
    [`GET ${base}/id/:id/versions/:version`]: {
      ids: { id: family, version: "version" },
      may: forId({ version: both(makers, existing) }, one.may),
    },
    [`GET ${base}/id/:id/overview`]: one,
    [`POST ${base}/id/:id/check-update`]: {
      ids: { id: family },
      say: () => ({ json: {} }),
      // It was typed in: there is nothing to compare it with.
      may: (cell) => {
        const usual = systemAdminOf(cell);
        return usual === "ok" ? 400 : usual;
      },
    },
    [`POST ${base}/id/:id/try`]: { ...one, say: () => ({ json: { method: "inlet", args: { body: {} } } }) },
    [`GET ${base}/id/:id/valves`]: one,
    [`GET ${base}/id/:id/valves/spec`]: one,
    [`POST ${base}/id/:id/valves/update`]: { ...one, say: word },
    [`GET ${base}/id/:id/valves/user`]: used,
    [`GET ${base}/id/:id/valves/user/spec`]: used,
    [`POST ${base}/id/:id/valves/user/update`]: { ...used, say: word },
  };
};

/** Functions, tools, packages and tool servers, as rows of the table. */
export const pluginTable: Readonly<Record<string, Row>> = {
  // Nobody but those who keep it, or whom it is shared with, knows that a tool server exists.
  "GET /api/v1/tool-servers": list,
  "POST /api/v1/tool-servers": {
    ids: { organization_id: "organization" },
    say: ({ organization_id }) => ({ json: { organization_id, url: "https://tools.invalid", enabled: false } }),
    may: placeOfServer(403),
  },
  "POST /api/v1/tool-servers/verify": { ...toolServer, say: ({ id }) => ({ json: { id } }) },
  "GET /api/v1/tool-servers/:id": toolServer,
  "PATCH /api/v1/tool-servers/:id": {
    ids: { id: "tool server", organization_id: "organization" },
    say: ({ organization_id }) => ({ json: { name: "Renamed", organization_id } }),
    may: forId({ organization_id: placeOfServer(404) }, managersAlone),
  },
  "DELETE /api/v1/tool-servers/:id": toolServer,
  "POST /api/v1/tool-servers/:id/access": {
    ids: { id: "tool server", principal_id: "user" },
    say: ({ principal_id }) => ({
      json: { access_grants: [{ principal_type: "user", principal_id, permission: "read" }] },
    }),
    may: forId(
      {
        principal_id: (cell) =>
          managers(cell) === "ok" ? reference(cell) : cell.variant === "malformed" ? [404, 422] : 404,
      },
      managersAlone,
    ),
  },
  // It needs no connection of one's own, and is switched off.
  "POST /api/v1/tool-servers/:id/connect": {
    ...toolServer,
    may: (cell) => (managersAlone(cell) === "ok" ? 403 : managersAlone(cell)),
  },
  "DELETE /api/v1/tool-servers/:id/connect": toolServer,

  ...pluginRows("function", aFunction, usedFunction),
  "POST /api/v1/functions/sync": { say: () => ({ json: { functions: [] } }), may: systemAdmin },
  "POST /api/v1/functions/id/:id/toggle": aFunction,
  "POST /api/v1/functions/id/:id/toggle/global": aFunction,
  ...pluginRows("tool", aTool, aTool),
  "POST /api/v1/tools/id/:id/access/update": {
    ids: { id: "tool", principal_id: "user" },
    say: ({ principal_id }) => ({
      json: { access_grants: [{ principal_type: "user", principal_id, permission: "read" }] },
    }),
    may: forId({ principal_id: reference }, ownerOrSystemAdmin),
  },
  "POST /api/v1/plugins/find": {
    say: () => ({ json: { files: [{ name: "tool.ts", content: smallSources.tool }] } }),
    may: everyone,
  },
  "GET /api/v1/plugins/runners": { may: systemAdmin },
  "GET /api/v1/plugins/packages": {
    ids: { organization_id: "organization" },
    say: ({ organization_id = "" }) => ({ query: { organization_id } }),
    may: both(managers, filter),
  },
  "POST /api/v1/plugins/packages": {
    ids: { organization_id: "organization" },
    say: ({ organization_id }) => ({ form: wheelForm(organization_id) }),
    may: both(managers, reference),
  },
  "DELETE /api/v1/plugins/packages/:id": { ids: { id: "package" }, may: managersOf },
  // There is nothing in it.
  "POST /api/v1/plugins/packages/bundle": {
    ids: { organization_id: "organization" },
    say: ({ organization_id = "" }) => ({ query: { organization_id } }),
    may: (cell) => {
      const expected = both(managers, reference)(cell);
      return expected === "ok" ? 400 : expected;
    },
  },
  "GET /api/v1/plugins/packages/downloads": {
    ids: { organization_id: "organization" },
    say: ({ organization_id = "" }) => ({ query: { organization_id } }),
    may: both(managers, filter),
  },
  // No registry is allowed here.
  "POST /api/v1/plugins/packages/downloads": {
    ids: { organization_id: "organization" },
    say: ({ organization_id }) => ({ json: { packages: ["harbour"], organization_id } }),
    may: (cell) => (managers(cell) === "ok" ? 403 : managers(cell)),
  },
  "GET /api/v1/plugins/packages/downloads/:id": { ids: { id: "package download" }, may: managersOf },
  "POST /api/v1/plugins/packages/downloads/:id/start": { ids: { id: "package download" }, may: managersOf },
  "POST /api/v1/plugins/packages/downloads/:id/stop": { ids: { id: "package download" }, may: managersOf },
  "DELETE /api/v1/plugins/packages/downloads/:id": { ids: { id: "package download" }, may: managersOf },
};
