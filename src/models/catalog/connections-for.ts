import type { User } from "../../access.ts";
import type { Connection } from "../connections/connection.ts";
import type { Snapshot } from "./catalog-snapshot.ts";

/**
 * The connections for this person: those of their organization, which win if two have the same model, then those for
 * everyone; for system administrators also those of other organizations, last.
 */
export function connectionsFor(
  { connections }: Pick<Snapshot, "connections">,
  viewer: Pick<User, "role" | "organizationId">,
): Connection[] {
  if (connections.every((connection) => connection.organizationId === null)) return connections;
  const own = connections.filter((connection) => connection.organizationId === viewer.organizationId);
  const general = connections.filter((connection) => connection.organizationId === null);
  const isOthers = ({ organizationId }: Connection) =>
    organizationId !== null && organizationId !== viewer.organizationId;
  return [...own, ...general, ...(viewer.role === "admin" ? connections.filter(isOthers) : [])];
}
