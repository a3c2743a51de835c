import { api } from "../../../lib/api.ts";

/** A tool, or a server with tools, that this person may use. */
export interface ToolOffer {
  /** `<id>`, `server:<id>` or `server:mcp:<id>`. */
  id: string;
  name: string;
  meta?: { description?: string | null } | null;
  kind: "plugin" | "openapi" | "mcp";
  has_user_valves?: boolean;
  /** Of plugins: administrators own it and wrote it. */
  trusted?: boolean;
  maker?: { id: string; name: string } | null;
  hosts?: readonly string[];
  /** Of servers with an account of one's own. */
  connection?: { needed: boolean; connected: boolean } | null;
}

/** Whose settings: a tool's or a function's. */
export interface ValveOwner {
  family: "tools" | "functions";
  id: string;
  name: string;
}

const valvesPath = ({ family, id }: ValveOwner): string => `/api/v1/${family}/id/${encodeURIComponent(id)}/valves/user`;

export const toolsApi = {
  list: (signal?: AbortSignal) => api<ToolOffer[]>("GET", "/api/v1/tools/", { signal }),
  /** Where a person goes to let Parley use their account at a server. */
  connect: (id: string) =>
    api<{ url: string }>("POST", `/api/v1/tool-servers/${encodeURIComponent(serverId(id))}/connect`),
  /** The JSON schema of the settings that each person has for themselves. */
  valvesSpec: (owner: ValveOwner, signal?: AbortSignal) => api<unknown>("GET", `${valvesPath(owner)}/spec`, { signal }),
  valves: (owner: ValveOwner, signal?: AbortSignal) =>
    api<Record<string, unknown> | null>("GET", valvesPath(owner), { signal }),
  saveValves: (owner: ValveOwner, values: Record<string, unknown>) =>
    api<unknown>("POST", `${valvesPath(owner)}/update`, { body: values }),
};

/** `server:mcp:<id>` is the server `<id>`. */
function serverId(id: string): string {
  return id.slice(id.lastIndexOf(":") + 1);
}
