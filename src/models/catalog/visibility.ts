import type { User } from "../../access.ts";
import type { Settings } from "../../context.ts";
import { isGranted } from "../../people/grants/grant.ts";
import { isHidden, type StoredModel } from "../stored-models/stored-model.ts";
import type { Snapshot } from "./catalog-snapshot.ts";

export type Viewer = Pick<User, "id" | "role" | "groupIds" | "organizationId">;

/** What decides who may use which model; the same for lists, completions and everything else with a model id. */
export interface Rules {
  snapshot: Pick<Snapshot, "stored" | "grants" | "organizations">;
  settings: Pick<Settings, "DEFAULT_MODEL_VISIBILITY">;
  viewer: Viewer;
}

/**
 * Whether the person may use the model with this id, if it exists.  A provider's model: everyone (or only
 * administrators, DEFAULT_MODEL_VISIBILITY) until it has grants, then the people in the grants. A custom model: its
 * owner and the people in the grants. Models that are switched off are off for all; hidden ones exist only for
 * administrators and people who may edit them. An organization's list restricts all of this for its people.
 * Administrators may use everything that is on.
 */
export function mayUse(rules: Rules, id: string): boolean {
  const { snapshot, viewer } = rules;
  const stored = snapshot.stored.get(id);
  if (stored && !stored.isActive) return false;
  const baseId = stored?.baseModelId ?? undefined;
  if (baseId !== undefined && snapshot.stored.get(baseId)?.isActive === false) return false;
  if (viewer.role === "admin") return true;
  if (!isInList(rules, id, baseId)) return false;
  if (isHidden(stored) && !mayEdit(rules, stored!)) return false;
  if (baseId === undefined) return isOpen(rules, id);
  if (!mayRead(rules, stored!)) return false;
  // An administrator's grant on a made model is enough; other owners can pass on only what the person could use anyway.
  return stored!.ownerIsAdmin || isOpen(rules, baseId);
}

/** Whether the person's organization has no list of models, or one with the model or its base. */
function isInList({ snapshot, viewer }: Rules, id: string, baseId: string | undefined): boolean {
  const allowed = snapshot.organizations.get(viewer.organizationId);
  return !allowed || allowed.has(id) || (baseId !== undefined && allowed.has(baseId));
}

/** Whether a grant gives the person access; grants do not override the organization's list. */
function isShared(rules: Rules, stored: StoredModel, permission: "read" | "write"): boolean {
  return (
    isInList(rules, stored.id, stored.baseModelId ?? undefined) &&
    isGranted(rules.viewer, rules.snapshot.grants.get(stored.id) ?? [], permission)
  );
}

/** Whether a provider's model is open to the person, hidden or not. */
function isOpen({ snapshot, settings, viewer }: Rules, id: string): boolean {
  const grants = snapshot.grants.get(id) ?? [];
  return grants.length > 0 ? isGranted(viewer, grants, "read") : settings.DEFAULT_MODEL_VISIBILITY === "everyone";
}

/** Whether the person may see what is stored of the model. */
export function mayRead(rules: Rules, stored: StoredModel): boolean {
  return rules.viewer.role === "admin" || isOwner(rules.viewer, stored) || isShared(rules, stored, "read");
}

export function mayEdit(rules: Rules, stored: StoredModel): boolean {
  return rules.viewer.role === "admin" || isOwner(rules.viewer, stored) || isShared(rules, stored, "write");
}

/** Settings of a provider's model belong to all administrators, regardless of their author. */
function isOwner(viewer: Viewer, stored: StoredModel): boolean {
  return stored.baseModelId !== null && stored.userId === viewer.id;
}
