import type {
  ConnectionChange,
  ConnectionKind,
  ConnectionTrial,
  ConnectionView,
  NewConnection,
} from "../../../../models/connections/schema.ts";
import {
  changedPolicy,
  changedQuirks,
  policyForm,
  type PolicyForm,
  quirksForm,
  type QuirksForm,
  readPolicy,
  readQuirks,
} from "./options-form.ts";

/** What is entered on the page of one connection. */
export interface ConnectionForm {
  kind: ConnectionKind;
  name: string;
  address: string;
  /** A new key; empty keeps the stored one unless `keyRemoved`. */
  key: string;
  keyRemoved: boolean;
  headers: { name: string; value: string }[];
  models: string[];
  prefix: string;
  tags: string;
  /** Id of the organization that has it for itself; "" for everyone. */
  organization: string;
  quirks: QuirksForm;
  policy: PolicyForm;
}

/** The form for a stored connection, or an empty one. */
export function formOf(connection: ConnectionView | undefined): ConnectionForm {
  return {
    kind: connection?.kind ?? "openai",
    name: connection?.name ?? "",
    address: connection?.base_url ?? "",
    key: "",
    keyRemoved: false,
    headers: Object.entries(connection?.headers ?? {}).map(([name, value]) => ({ name, value })),
    models: [...(connection?.model_ids ?? [])],
    prefix: connection?.prefix_id ?? "",
    tags: (connection?.tags ?? []).join(", "),
    organization: connection?.organization_id ?? "",
    quirks: quirksForm(connection?.quirks),
    policy: policyForm(connection?.policy),
  };
}

export type FieldName =
  | "kind"
  | "name"
  | "address"
  | "key"
  | "headers"
  | "models"
  | "prefix"
  | "tags"
  | "organization"
  | "quirks"
  | "policy";

/** Which fields differ from what is stored. */
export function changedFields(form: ConnectionForm, connection: ConnectionView | undefined): FieldName[] {
  const stored = formOf(connection);
  const differs: Record<FieldName, boolean> = {
    kind: form.kind !== stored.kind,
    name: form.name.trim() !== stored.name,
    address: form.address.trim() !== stored.address,
    key: form.key !== "" || form.keyRemoved,
    headers: JSON.stringify(headersOf(form)) !== JSON.stringify(headersOf(stored)),
    models: JSON.stringify(form.models) !== JSON.stringify(stored.models),
    prefix: form.prefix.trim() !== stored.prefix,
    tags: JSON.stringify(tagsOf(form)) !== JSON.stringify(tagsOf(stored)),
    organization: form.organization !== stored.organization,
    quirks: JSON.stringify(readQuirks(form.quirks)) !== JSON.stringify(readQuirks(stored.quirks)),
    policy: JSON.stringify(readPolicy(form.policy)) !== JSON.stringify(readPolicy(stored.policy)),
  };
  return (Object.keys(differs) as FieldName[]).filter((field) => differs[field]);
}

export function toNewConnection(form: ConnectionForm): NewConnection {
  return {
    kind: form.kind,
    name: form.name.trim(),
    base_url: form.address.trim(),
    key: form.key,
    headers: headersOf(form),
    prefix_id: form.prefix.trim(),
    model_ids: form.models,
    tags: tagsOf(form),
    organization_id: form.organization || null,
    enabled: true,
    quirks: changedQuirks(readQuirks(form.quirks)),
    policy: changedPolicy(readPolicy(form.policy)),
  };
}

/** Only what differs: a masked header value that is sent back keeps the stored one. */
export function toChange(form: ConnectionForm, connection: ConnectionView): ConnectionChange {
  const whole = toNewConnection(form);
  const names: Record<FieldName, keyof NewConnection> = {
    kind: "kind",
    name: "name",
    address: "base_url",
    key: "key",
    headers: "headers",
    models: "model_ids",
    prefix: "prefix_id",
    tags: "tags",
    organization: "organization_id",
    quirks: "quirks",
    policy: "policy",
  };
  const differing = {
    ...whole,
    quirks: changedQuirks(readQuirks(form.quirks), connection.quirks),
    policy: changedPolicy(readPolicy(form.policy), connection.policy),
  };
  return Object.fromEntries(changedFields(form, connection).map((field) => [names[field], differing[names[field]]]));
}

/** What to test: the form as it stands, with the stored key where no other was typed. */
export function toTrial(form: ConnectionForm, connection: ConnectionView | undefined): ConnectionTrial {
  return {
    ...(connection ? { id: connection.id } : {}),
    kind: form.kind,
    base_url: form.address.trim(),
    headers: headersOf(form),
    ...(form.key !== "" || form.keyRemoved || !connection ? { key: form.key } : {}),
  };
}

function headersOf(form: ConnectionForm): Record<string, string> {
  return Object.fromEntries(
    form.headers.filter((row) => row.name.trim() !== "").map((row) => [row.name.trim(), row.value]),
  );
}

function tagsOf(form: ConnectionForm): string[] {
  const tags = form.tags.split(",").map((tag) => tag.trim());
  return [...new Set(tags.filter((tag) => tag !== ""))];
}
