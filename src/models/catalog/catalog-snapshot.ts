import { eq, inArray, isNotNull } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { stamps } from "../../db/tables.ts";
import { modelKnowledge } from "../../documents/knowledge/tables.ts";
import type { Grant } from "../../people/grants/grant.ts";
import { grants } from "../../people/grants/tables.ts";
import { organizations } from "../../people/organizations/tables.ts";
import { users } from "../../people/users/tables.ts";
import { indexFunctions, type FunctionIndex } from "../../plugins/function-index.ts";
import { selectPluginIndex, type PluginEntry } from "../../plugins/plugin-index.ts";
import type { Connection } from "../connections/connection.ts";
import { environmentConnections } from "../connections/environment-connections.ts";
import { openConnection } from "../connections/open-connection.ts";
import { connectionChecks, connections } from "../connections/tables.ts";
import type { StoredModel } from "../stored-models/stored-model.ts";
import { modelPictures, storedModels } from "../stored-models/tables.ts";
import { isolateState } from "./catalog-state.ts";
import { keepDeclaredList } from "./look-up-list.ts";
import { pipeConnection } from "./pipe-connection.ts";

/** All database content of the catalogue, as of one stamp. */
export interface Snapshot {
  stamp: number;
  /** Active ones: from the environment first, then stored ones in order of creation. */
  connections: Connection[];
  stored: Map<string, StoredModel>;
  grants: Map<string, Grant[]>;
  /** Models visible in an organization; no entry means all. */
  organizations: Map<string, Set<string>>;
  /** All functions and tools, active or not, in order of creation. */
  plugins: PluginEntry[];
  functions: FunctionIndex;
  /** The connection entries of the pipes among `functions`. */
  pipes: Connection[];
  /** Grants of each tool, by the tool's id. */
  toolGrants: Map<string, Grant[]>;
  /** Knowledge of models, by the model's id. Callers find only what they may read themselves. */
  knowledge: Map<string, ModelKnowledge[]>;
}

export interface ModelKnowledge {
  /** Whose people it is for; null for everyone. */
  organizationId: string | null;
  kind: "collection" | "file";
  targetId: string;
}

export type CatalogContext = Pick<Context, "db" | "vault" | "environment" | "settings" | "catalogStamp">;

/** No round trip while the stamp of this request equals that of the copy in memory, otherwise one. */
export async function loadSnapshot(ctx: CatalogContext): Promise<Snapshot> {
  const state = isolateState(ctx);
  if (state.snapshot?.stamp === ctx.catalogStamp) return state.snapshot;
  const { db } = ctx;
  // The stamp is read in the same transaction: what a later writer changes has a later stamp.
  const [stampRows, connectionRows, modelRows, grantRows, organizationRows, checkRows, knowledgeRows, plugins] =
    await db.batch([
      db.select().from(stamps).where(eq(stamps.name, "catalog")),
      db.select().from(connections).where(eq(connections.enabled, true)).orderBy(connections.createdAt, connections.id),
      db
        .select({ model: storedModels, role: users.role, active: users.active, picture: modelPictures.modelId })
        .from(storedModels)
        .leftJoin(users, eq(users.id, storedModels.userId))
        .leftJoin(modelPictures, eq(modelPictures.modelId, storedModels.id))
        .orderBy(storedModels.createdAt, storedModels.id),
      db
        .select()
        .from(grants)
        .where(inArray(grants.resourceType, ["model", "tool"]))
        .orderBy(grants.id),
      db
        .select({ id: organizations.id, modelIds: organizations.modelIds })
        .from(organizations)
        .where(isNotNull(organizations.modelIds)),
      db
        .select({ id: connectionChecks.connectionId, ok: connectionChecks.ok, at: connectionChecks.checkedAt })
        .from(connectionChecks),
      db
        .select({
          modelId: modelKnowledge.modelId,
          organizationId: modelKnowledge.organizationId,
          kind: modelKnowledge.kind,
          targetId: modelKnowledge.targetId,
        })
        .from(modelKnowledge)
        .orderBy(modelKnowledge.createdAt, modelKnowledge.id),
      selectPluginIndex(db),
    ]);
  const functions = indexFunctions(plugins);
  const snapshot: Snapshot = {
    stamp: stampRows[0]?.value ?? 0,
    connections: [
      ...environmentConnections(ctx.settings),
      ...(await Promise.all(connectionRows.map((row) => openConnection(ctx.vault, row)))),
    ],
    stored: new Map(
      modelRows.map(({ model, role, active, picture }) => [
        model.id,
        { ...model, hasPicture: picture !== null, ownerIsAdmin: role === "admin" && active === true },
      ]),
    ),
    grants: new Map(),
    organizations: new Map(organizationRows.map((row) => [row.id, new Set(row.modelIds)])),
    plugins,
    functions,
    pipes: functions.pipes.map(pipeConnection),
    toolGrants: new Map(),
    knowledge: Map.groupBy(knowledgeRows, (row) => row.modelId),
  };
  for (const row of grantRows) {
    const grantsOf = row.resourceType === "tool" ? snapshot.toolGrants : snapshot.grants;
    const list = grantsOf.get(row.resourceId);
    if (list) list.push(row);
    else grantsOf.set(row.resourceId, [row]);
  }
  // A changed connection's row is deleted with the change, so its next look is written down again.
  state.noted = new Map(checkRows.map((row) => [row.id, { ok: row.ok, at: row.at }]));
  const inUse = new Set([...snapshot.connections, ...snapshot.pipes].map((connection) => connection.id));
  for (const id of state.lists.keys()) if (!inUse.has(id)) state.lists.delete(id);
  for (const pipe of snapshot.pipes) keepDeclaredList(ctx, pipe);
  state.snapshot = snapshot;
  return snapshot;
}
