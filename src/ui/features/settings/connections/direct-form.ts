import type { QuirksChange } from "../../../../models/calling/schema.ts";
import type {
  DirectConnectionChange,
  DirectConnectionView,
  DirectTrial,
  NewDirectConnection,
} from "../../../../models/direct-connections/schema.ts";

/** What is entered on the page of one connection. */
export interface DirectForm {
  kind: DirectConnectionView["kind"];
  name: string;
  address: string;
  /** A new key; empty keeps the stored one unless `keyRemoved`. */
  key: string;
  keyRemoved: boolean;
  models: string[];
  prefix: string;
  /** The known differences of the chosen provider; undefined as long as none was chosen. */
  quirks: QuirksChange | undefined;
}

export function directForm(connection: DirectConnectionView | undefined): DirectForm {
  return {
    kind: connection?.kind ?? "openai",
    name: connection?.name ?? "",
    address: connection?.base_url ?? "",
    key: "",
    keyRemoved: false,
    models: [...(connection?.model_ids ?? [])],
    prefix: connection?.prefix_id ?? "",
    quirks: undefined,
  };
}

export type DirectField = "kind" | "name" | "address" | "key" | "models" | "prefix";

/** Which fields differ from what is stored. */
export function changedFields(form: DirectForm, connection: DirectConnectionView | undefined): DirectField[] {
  const stored = directForm(connection);
  const differs: Record<DirectField, boolean> = {
    kind: form.kind !== stored.kind,
    name: form.name.trim() !== stored.name,
    address: form.address.trim() !== stored.address,
    key: form.key !== "" || form.keyRemoved,
    models: JSON.stringify(form.models) !== JSON.stringify(stored.models),
    prefix: form.prefix.trim() !== stored.prefix,
  };
  return (Object.keys(differs) as DirectField[]).filter((field) => differs[field]);
}

export function toNewDirect(form: DirectForm): NewDirectConnection {
  return {
    kind: form.kind,
    name: form.name.trim(),
    base_url: form.address.trim(),
    key: form.key,
    prefix_id: form.prefix.trim(),
    model_ids: form.models,
    quirks: form.quirks ?? {},
    enabled: true,
  };
}

/** Only what differs. */
export function toDirectChange(form: DirectForm, connection: DirectConnectionView): DirectConnectionChange {
  const whole = toNewDirect(form);
  const names: Record<DirectField, keyof NewDirectConnection> = {
    kind: "kind",
    name: "name",
    address: "base_url",
    key: "key",
    models: "model_ids",
    prefix: "prefix_id",
  };
  return Object.fromEntries(changedFields(form, connection).map((field) => [names[field], whole[names[field]]]));
}

/** What to test: the form as it stands, with the stored key where no other was typed. */
export function toDirectTrial(form: DirectForm, connection: DirectConnectionView | undefined): DirectTrial {
  return {
    ...(connection ? { id: connection.id } : {}),
    kind: form.kind,
    base_url: form.address.trim(),
    ...(form.key !== "" || form.keyRemoved || !connection ? { key: form.key } : {}),
  };
}
