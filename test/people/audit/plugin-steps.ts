import { smallSources } from "../../plugins/stored-plugin.ts";
import { makeWheel } from "../../plugins/wheels.ts";
import { secrets, type Step, type Values } from "./step.ts";

const makers = { function: "functions", tool: "tools" } as const;
const pluginSteps = (family: keyof typeof makers): Step[] => {
  const base = `/api/v1/${makers[family]}`;
  const content = smallSources[family];
  const step = (route: string, action: string, body: Values): Step => ({
    who: "admin",
    route: `POST ${base}/id/:id/${route}`,
    actions: [`${family}.${action}`],
    of: family,
    body: () => body,
  });
  return [
    {
      who: "admin",
      route: `POST ${base}/create`,
      actions: [`${family}.created`],
      makes: family,
      body: () => ({ id: "made_here", name: "Made", content }),
    },
    step("update", "updated", { name: "Changed", content: `${content}\n`, hosts: ["api.example.com"] }),
    ...(family === "function"
      ? [step("toggle", "toggled", {}), step("toggle/global", "toggled", {})]
      : [
          step("access/update", "updated", {
            access_grants: [{ principal_type: "user", principal_id: "*", permission: "read" }],
          }),
        ]),
    step("valves/update", "valves_updated", { word: secrets.valve }),
    { ...step("valves/user/update", "user_valves_updated", { word: secrets.ownValve }), who: "ada" },
    { who: "admin", route: `DELETE ${base}/id/:id/delete`, actions: [`${family}.deleted`], of: family },
    {
      who: "admin",
      route: `POST ${base}/import`,
      actions: [`${family}.created`],
      body: () => ({
        [makers[family]]: [{ id: "imported", name: "Imported", content, valves: { word: secrets.valve } }],
      }),
    },
  ];
};
const wheel = () => {
  const form = new FormData();
  form.append("file", new File([makeWheel("harbour", "1.0")], "harbour-1.0-py3-none-any.whl"));
  return form;
};

/** Functions, tools and packages: made, changed, deleted. */
export const allPluginSteps: Step[] = [
  ...pluginSteps("function"),
  {
    who: "admin",
    route: "POST /api/v1/functions/sync",
    actions: ["function.created", "function.synchronized"],
    body: () => ({ functions: [{ id: "synced", name: "Synced", content: smallSources.function }] }),
  },
  ...pluginSteps("tool"),
  {
    who: "admin",
    route: "POST /api/v1/plugins/packages",
    actions: ["package.added"],
    makes: "package",
    form: wheel,
  },
  { who: "admin", route: "DELETE /api/v1/plugins/packages/:id", actions: ["package.deleted"], of: "package" },
];

/** @param granted whom a server is shared with */
export const toolServerSteps = (granted: () => string): Step[] => [
  {
    who: "admin",
    route: "POST /api/v1/tool-servers",
    actions: ["tool_server.created"],
    makes: "server",
    body: () => ({
      kind: "mcp",
      url: `http://127.0.0.1:9/mcp?key=${secrets.query}`,
      auth_type: "bearer",
      key: secrets.toolKey,
      headers: { "x-extra": secrets.header },
      oauth: { client_secret: secrets.toolClient },
      enabled: false,
    }),
  },
  {
    who: "admin",
    route: "PATCH /api/v1/tool-servers/:id",
    actions: ["tool_server.updated"],
    of: "server",
    body: () => ({
      name: "Other",
      url: `http://127.0.0.1:9/other?key=${secrets.query}`,
      key: `${secrets.toolKey}-2`,
      headers: { "x-other": `${secrets.header}-2` },
      oauth: { client_id: "parley", client_secret: `${secrets.toolClient}-2` },
    }),
  },
  {
    who: "admin",
    route: "POST /api/v1/tool-servers/:id/access",
    actions: ["tool_server.access_updated"],
    of: "server",
    body: () => ({ access_grants: [{ principal_type: "user", principal_id: granted(), permission: "read" }] }),
  },
  { who: "admin", route: "DELETE /api/v1/tool-servers/:id", actions: ["tool_server.deleted"], of: "server" },
];
