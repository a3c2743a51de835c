import type {
  NewToolServer,
  ToolServerChange,
  ToolServerTrial,
  ToolServerView,
} from "../../../../plugins/tool-servers/schema.ts";

/** What is entered on the page of one tool server. */
export interface ToolServerForm {
  kind: "openapi" | "mcp";
  name: string;
  description: string;
  address: string;
  spec: string;
  auth: "none" | "bearer" | "session" | "oauth";
  /** A new key; empty keeps the stored one unless `keyRemoved`. */
  key: string;
  keyRemoved: boolean;
  clientId: string;
  /** A new secret; empty keeps the stored one. */
  clientSecret: string;
  scope: string;
  headers: { name: string; value: string }[];
  /** Allowed functions; empty for all. */
  functions: string[];
  /** Id of the organization that has it for itself; "" for everyone. */
  organization: string;
  timeout: string;
}

/**
 * The form for a stored server, or an empty one.
 * @param organization where a new one goes: "" for everyone's
 */
export function formOf(server: ToolServerView | undefined, organization = ""): ToolServerForm {
  return {
    kind: server?.kind ?? "openapi",
    name: server?.name ?? "",
    description: server?.description ?? "",
    address: server?.url ?? "",
    spec: server?.spec_path ?? "",
    auth: server?.auth_type ?? "none",
    key: "",
    keyRemoved: false,
    clientId: server?.oauth?.client_id ?? "",
    clientSecret: "",
    scope: server?.oauth?.scope ?? "",
    headers: Object.entries(server?.headers ?? {}).map(([name, value]) => ({ name, value })),
    functions: [...(server?.functions ?? [])],
    organization: server ? (server.organization_id ?? "") : organization,
    timeout: String(server?.timeout ?? 60),
  };
}

export type FieldName =
  | "kind"
  | "name"
  | "description"
  | "address"
  | "spec"
  | "auth"
  | "key"
  | "oauth"
  | "headers"
  | "functions"
  | "organization"
  | "timeout";

/** Which fields differ from what is stored. */
export function changedFields(
  form: ToolServerForm,
  server: ToolServerView | undefined,
  organization = "",
): FieldName[] {
  const stored = formOf(server, organization);
  const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
  const differs: Record<FieldName, boolean> = {
    kind: form.kind !== stored.kind,
    name: form.name.trim() !== stored.name,
    description: form.description.trim() !== stored.description,
    address: form.address.trim() !== stored.address,
    spec: form.spec.trim() !== stored.spec,
    auth: form.auth !== stored.auth,
    key: form.key !== "" || form.keyRemoved,
    oauth: form.clientId.trim() !== stored.clientId || form.clientSecret !== "" || form.scope.trim() !== stored.scope,
    headers: !same(headersOf(form), headersOf(stored)),
    functions: !same(form.functions.toSorted(), stored.functions.toSorted()),
    organization: form.organization !== stored.organization,
    timeout: form.timeout.trim() !== stored.timeout,
  };
  return (Object.keys(differs) as FieldName[]).filter((field) => differs[field]);
}

/** Seconds, or undefined for what is no such number. */
export function timeoutOf(form: Pick<ToolServerForm, "timeout">): number | undefined {
  const seconds = Number(form.timeout.trim());
  return Number.isInteger(seconds) && seconds >= 1 && seconds <= 600 ? seconds : undefined;
}

/** @param own whether the server is for the person alone */
export function toNewToolServer(form: ToolServerForm, own: boolean): Omit<NewToolServer, "access_grants"> {
  return {
    own,
    kind: form.kind,
    name: form.name.trim(),
    description: form.description.trim(),
    url: form.address.trim(),
    spec_path: form.kind === "openapi" ? form.spec.trim() : "",
    auth_type: form.auth,
    key: form.auth === "bearer" ? form.key : "",
    headers: headersOf(form),
    oauth: { client_id: form.clientId.trim(), client_secret: form.clientSecret, scope: form.scope.trim() },
    functions: form.functions,
    organization_id: own ? null : form.organization || null,
    enabled: true,
    timeout: timeoutOf(form) ?? 60,
  };
}

/** Only what differs: a masked header value that is sent back keeps the stored one. */
export function toChange(form: ToolServerForm, server: ToolServerView): ToolServerChange {
  const { own: _, oauth, ...whole } = toNewToolServer(form, server.user_id !== null);
  const { client_secret: secret, ...client } = oauth;
  const values: Record<FieldName, ToolServerChange> = {
    kind: { kind: whole.kind },
    name: { name: whole.name },
    description: { description: whole.description },
    address: { url: whole.url },
    spec: { spec_path: whole.spec_path },
    auth: { auth_type: whole.auth_type },
    key: { key: form.key },
    oauth: { oauth: { ...client, ...(secret ? { client_secret: secret } : {}) } },
    headers: { headers: whole.headers },
    functions: { functions: whole.functions },
    organization: { organization_id: whole.organization_id },
    timeout: { timeout: whole.timeout },
  };
  return Object.assign({}, ...changedFields(form, server).map((field) => values[field])) as ToolServerChange;
}

/** What to test: the form as it stands, with the stored key where no other was typed. */
export function toTrial(form: ToolServerForm, server: ToolServerView | undefined, own: boolean): ToolServerTrial {
  return {
    ...(server ? { id: server.id } : { own }),
    kind: form.kind,
    url: form.address.trim(),
    spec_path: form.kind === "openapi" ? form.spec.trim() : "",
    auth_type: form.auth,
    headers: headersOf(form),
    ...(form.key !== "" || form.keyRemoved || !server ? { key: form.auth === "bearer" ? form.key : "" } : {}),
    ...(own ? {} : { organization_id: form.organization || null }),
  };
}

function headersOf(form: ToolServerForm): Record<string, string> {
  return Object.fromEntries(
    form.headers.filter((row) => row.name.trim() !== "").map((row) => [row.name.trim(), row.value]),
  );
}
