import { requireUser, type User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { functionsInUse, type FunctionIndex, type ModelMetas } from "../../plugins/function-index.ts";
import type { PluginEntry } from "../../plugins/plugin-index.ts";
import { driverKindOf, requireUsable, secretsOf, withoutPrefix, type Connection } from "../connections/connection.ts";
import { isDirectId } from "../direct-connections/direct-id.ts";
import { loadDirectConnections } from "../direct-connections/load-direct.ts";
import { driverOf } from "../drivers/driver-registry.ts";
import type { Driver, DriverKind, ProviderModel } from "../drivers/driver.ts";
import { guideConnection, guideModel } from "../drivers/function-model/driver.ts";
import type { StoredModel } from "../stored-models/stored-model.ts";
import { loadSnapshot, type ModelKnowledge, type Snapshot } from "./catalog-snapshot.ts";
import type { ListState } from "./catalog-state.ts";
import { defaultBudgetMs, knownList } from "./look-up-list.ts";
import { namedModel } from "./merge-models.ts";
import { hasSources, sourcesFor } from "./pipe-connection.ts";
import { askAll, freshSeconds, type ListOptions } from "./provider-lists.ts";
import { mayUse } from "./visibility.ts";

/** A connection with a model, and the model's id there. */
export interface ModelPlace {
  kind: DriverKind;
  driver: Driver;
  connection: Connection;
  /** The provider's own id. */
  upstreamId: string;
  /** The provider's entry in its list, trimmed. */
  raw: Record<string, unknown>;
}

/** A model that the caller may use, with everything that a completion needs. */
export interface ResolvedModel extends ModelPlace {
  /** The requested id. */
  id: string;
  name: string;
  /** Other connections with the same model for the caller, in the order in which they are tried if the first fails. */
  alternatives: readonly ModelPlace[];
  /** What is stored under the id. */
  stored: StoredModel | undefined;
  /** Defaults for the request: see `applyModelParams`. */
  params: Record<string, unknown>;
  /** Values that no answer and no log line may contain. */
  secrets: string[];
  /** The function that answers, if it is one. */
  pipe: PluginEntry | undefined;
  /** Of one of the caller's own connections: no quota counts it, and the ledger does not name it. */
  isDirect: boolean;
  /** Functions that may run now, and the stored data that selects them for the model. */
  functions: FunctionIndex;
  metas: ModelMetas;
  /** The model's knowledge for people of the caller's organization; it grants no access. */
  knowledge: readonly ModelKnowledge[];
}

export interface FindOptions extends Pick<ListOptions, "budgetMs"> {
  /**
   * For models in the settings (titles and so on): the person's own permissions do not apply. Without a person (the
   * context's actor is none), connections for everyone come first, so that the model is always the same.
   */
  asService?: boolean;
  /**
   * Also models of the caller's own connections: only where the caller asks. Not for what others read (channels), nor for
   * code that others wrote (functions and tools).
   */
  direct?: boolean;
}

/**
 * A function may have to be started first, so it gets more time for its list than a provider if the id refers to it.
 */
const functionBudgetMs = 15_000;
/** How long to wait for an earlier connection to claim an id that a later one has, milliseconds. */
const orderGraceMs = 200;

/**
 * Finds the model and checks whether the caller may use it: no round trip when warm, one when cold. Permissions are
 * checked first, so that ids without access reveal nothing and cause no work. Unreachable providers delay nothing: a
 * model that was listed before, or is named in a connection, needs no provider.
 * @throws AppError `model_not_found` for an unknown model and for one that the caller may not use;
 *   `upstream_unreachable` for a connection whose secrets are lost.
 */
export async function findModel(ctx: Context, id: string, options: FindOptions = {}): Promise<ResolvedModel> {
  const own = options.direct && isDirectId(id) ? await findDirectModel(ctx, id, options) : undefined;
  if (own) return own;
  const snapshot = await requireRight(ctx, id, options);
  const found = snapshot.stored.get(id);
  const place = await locate(ctx, snapshot, found?.baseModelId ?? id, options);
  if (!place) throw unknownModel(id);
  const { model } = place;
  const connection = requireUsable(place.connection);
  const others = alternativesTo(ctx, snapshot, place, found?.baseModelId ?? id, options);
  return {
    id,
    name: found?.name ?? model.name,
    ...modelPlace(ctx, place),
    alternatives: others.map((other) => modelPlace(ctx, other)),
    stored: found,
    params: found?.params ?? {},
    secrets: [place, ...others].flatMap((each) => secretsOf(each.connection)),
    pipe: connection.pipe,
    isDirect: false,
    functions: functionsInUse(ctx.settings, snapshot.functions),
    metas: metasOf(snapshot, found),
    knowledge: knowledgeOf(ctx, snapshot, id),
  };
}

/** A model of the caller's own connections: one round trip, and nothing that is stored of models applies to it. */
async function findDirectModel(ctx: Context, id: string, options: FindOptions): Promise<ResolvedModel | undefined> {
  const [connections, snapshot] = await Promise.all([loadDirectConnections(ctx), loadSnapshot(ctx)]);
  const place = await placeAmong(ctx, candidatesIn(ctx, connections, id), options);
  if (!place) return undefined;
  return {
    id,
    name: place.model.name,
    ...modelPlace(ctx, { ...place, connection: requireUsable(place.connection) }),
    alternatives: [],
    stored: undefined,
    params: {},
    secrets: secretsOf(place.connection),
    pipe: undefined,
    isDirect: true,
    functions: functionsInUse(ctx.settings, snapshot.functions),
    metas: [],
    knowledge: noKnowledge,
  };
}

/**
 * Whether a running answer of the model may continue for this caller: as `findModel`, but no provider is asked, and an
 * unreachable provider does not revoke access.
 * @throws AppError `model_not_found` if it may not
 */
export async function requireModelRight(ctx: Context, id: string): Promise<void> {
  if (isDirectId(id) && candidatesIn(ctx, await loadDirectConnections(ctx), id).some(mayHave)) return;
  const snapshot = await requireRight(ctx, id, {});
  const baseId = snapshot.stored.get(id)?.baseModelId ?? id;
  if (baseId === guideModel.id && !hasSources(ctx.settings, snapshot)) return;
  if (!candidatesOf(ctx, requireUser(ctx), snapshot, baseId).some(mayHave)) throw unknownModel(id);
}

function mayHave({ connection, upstreamId, known }: Candidate): boolean {
  return !known || known.failure !== undefined || placeIn(connection, upstreamId, known) !== undefined;
}

async function requireRight(ctx: Context, id: string, options: FindOptions): Promise<Snapshot> {
  if (!options.asService) requireUser(ctx);
  const snapshot = await loadSnapshot(ctx);
  const isOff = snapshot.stored.get(id)?.isActive === false;
  const isAllowed = options.asService || mayUse({ snapshot, settings: ctx.settings, viewer: requireUser(ctx) }, id);
  if (isOff || !isAllowed) throw unknownModel(id);
  return snapshot;
}

/** The person whose connections are used. */
type ModelViewer = Pick<User, "role" | "organizationId">;

const nobody: ModelViewer = { role: "admin", organizationId: "" };

function viewerOf(ctx: Context, { asService }: FindOptions): ModelViewer {
  return asService && ctx.actor.kind !== "user" ? nobody : requireUser(ctx);
}

function unknownModel(id: string): AppError {
  return new AppError(
    "model_not_found",
    `The model ${JSON.stringify(id.slice(0, 256))} does not exist, or you have no access to it`,
    { param: "model" },
  );
}

/** Stored data of the model and of its base model. */
function metasOf(snapshot: Pick<Snapshot, "stored">, stored: StoredModel | undefined): ModelMetas {
  if (!stored) return [];
  const base = stored.baseModelId === null ? undefined : snapshot.stored.get(stored.baseModelId);
  return base ? [stored.meta, base.meta] : [stored.meta];
}

const noKnowledge: readonly ModelKnowledge[] = [];

function knowledgeOf(ctx: Context, snapshot: Snapshot, id: string): readonly ModelKnowledge[] {
  const organizationId = ctx.actor.kind === "user" ? ctx.actor.organizationId : "";
  const known = snapshot.knowledge.get(id);
  return known?.filter((each) => each.organizationId === null || each.organizationId === organizationId) ?? noKnowledge;
}

interface Place {
  kind: DriverKind;
  connection: Connection;
  model: ProviderModel;
}

async function locate(ctx: Context, snapshot: Snapshot, id: string, options: FindOptions): Promise<Place | undefined> {
  if (!hasSources(ctx.settings, snapshot)) {
    return id === guideModel.id ? { kind: "function", connection: guideConnection, model: guideModel } : undefined;
  }
  return placeAmong(ctx, candidatesOf(ctx, viewerOf(ctx, options), snapshot, id), options);
}

async function placeAmong(
  ctx: Context,
  candidates: readonly Candidate[],
  options: FindOptions,
): Promise<Place | undefined> {
  const known = candidates.map(({ connection, upstreamId, known }) => ({
    place: placeIn(connection, upstreamId, known),
    failed: known?.failure !== undefined,
  }));
  // A provider that failed last time still gets what only it has: its own error says more than "unknown model".
  const hit = known.find(({ place, failed }) => place && !failed) ?? known.find(({ place }) => place);
  if (hit?.place) return hit.place;
  const budgetMs = options.budgetMs ?? defaultBudgetMs;
  const budgetOf = ({ pipe }: Connection) => (pipe ? Math.max(budgetMs, functionBudgetMs) : budgetMs);
  const unclear = candidates.filter(
    ({ connection, known }) =>
      !known || ctx.now() - known.checkedAt > freshSeconds || hadLessTime(known, budgetOf(connection)),
  );
  if (unclear.length === 0) return undefined;
  return ask(ctx, unclear, Math.max(...unclear.map(({ connection }) => budgetOf(connection))));
}

/** Whether the list did not come within less than half of the time that it would get now. */
function hadLessTime({ failure, latencyMs }: ListState, budgetMs: number): boolean {
  return failure?.reason === "timeout" && latencyMs < budgetMs / 2;
}

interface Candidate {
  connection: Connection;
  upstreamId: string;
  known: ListState | undefined;
}

/** Connections that may have the model for the caller, as far as is known without asking. */
function candidatesOf(ctx: Context, viewer: ModelViewer, snapshot: Snapshot, id: string): Candidate[] {
  return candidatesIn(ctx, sourcesFor(ctx.settings, snapshot, viewer), id);
}

function candidatesIn(ctx: Context, connections: readonly Connection[], id: string): Candidate[] {
  return connections.flatMap((connection) => {
    const upstreamId = withoutPrefix(connection, id);
    const isAllowed =
      upstreamId !== undefined && (connection.modelIds.length === 0 || connection.modelIds.includes(upstreamId));
    return isAllowed ? [{ connection, upstreamId, known: knownList(ctx, connection) }] : [];
  });
}

function placeIn(connection: Connection, upstreamId: string, list: ListState | undefined): Place | undefined {
  const model =
    list?.byId.get(upstreamId) ?? (connection.modelIds.length > 0 ? namedModel(connection, upstreamId) : undefined);
  return model && { kind: driverKindOf(connection), connection, model };
}

function modelPlace(ctx: Context, { kind, connection, model }: Place): ModelPlace {
  const apiRoot = knownList(ctx, connection)?.list?.apiRoot;
  return { kind, driver: driverOf(kind), connection: { ...connection, apiRoot }, upstreamId: model.id, raw: model.raw };
}

/**
 * Further connections with the model, as far as is known without asking. Only those for the same people: an
 * administrator's question must not go to another organization's provider because a shared one has failed.
 */
function alternativesTo(ctx: Context, snapshot: Snapshot, place: Place, id: string, options: FindOptions): Place[] {
  if (place.kind === "function" || !place.connection.policy.fail_over) return [];
  const viewer = viewerOf(ctx, options);
  const candidates = candidatesOf(ctx, viewer, snapshot, id);
  if (candidates.length < 2) return [];
  return candidates.flatMap(({ connection, upstreamId, known }) => {
    const { organizationId: owner } = connection;
    const isForThem = owner === null || owner === viewer.organizationId || owner === place.connection.organizationId;
    const isOther = connection.id !== place.connection.id && !connection.pipe && connection.unusable === undefined;
    const other = isForThem && isOther ? placeIn(connection, upstreamId, known) : undefined;
    return other ? [other] : [];
  });
}

/** Asks all of them; the first with the model wins, but earlier connections get a moment to claim it. */
async function ask(
  ctx: Context,
  candidates: { connection: Connection; upstreamId: string }[],
  budgetMs: number,
): Promise<Place | undefined> {
  const looks = askAll(
    ctx,
    candidates.map(({ connection }) => connection),
    budgetMs,
  );
  const answers: (Place | "none" | undefined)[] = candidates.map(() => undefined);
  return new Promise((resolve) => {
    let grace: ReturnType<typeof setTimeout> | undefined;
    const finish = () => {
      clearTimeout(grace);
      clearTimeout(end);
      resolve(answers.find((answer) => typeof answer === "object"));
    };
    const end = setTimeout(finish, budgetMs + 50);
    candidates.forEach(({ connection, upstreamId }, at) => {
      void looks.get(connection.id)!.then((state) => {
        answers[at] = (state.failure ? undefined : placeIn(connection, upstreamId, state)) ?? "none";
        const first = answers.findIndex((answer) => answer !== "none");
        if (first === -1 || typeof answers[first] === "object") finish();
        else if (typeof answers[at] === "object") grace ??= setTimeout(finish, orderGraceMs);
      });
    });
  });
}
