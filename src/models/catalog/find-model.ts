import { requireUser, type User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { functionsInUse, type FunctionIndex, type ModelMetas } from "../../plugins/function-index.ts";
import type { PluginEntry } from "../../plugins/plugin-index.ts";
import { driverKindOf, requireUsable, secretsOf, withoutPrefix, type Connection } from "../connections/connection.ts";
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

/** One connection that has a model, and how it is called there. */
export interface ModelPlace {
  kind: DriverKind;
  driver: Driver;
  connection: Connection;
  /** The provider's own id. */
  upstreamId: string;
}

/** A model that the caller may use, with all that a completion needs. */
export interface ResolvedModel extends ModelPlace {
  /** As it was asked for. */
  id: string;
  name: string;
  /** Other connections that have the same model for the caller, in the order in which they are asked where the first fails. */
  alternatives: readonly ModelPlace[];
  /** What is stored under the id. */
  stored: StoredModel | undefined;
  /** Defaults for the request: see `applyModelParams`. */
  params: Record<string, unknown>;
  /** What no answer and no log line may show. */
  secrets: string[];
  /** The function that answers, where one does. */
  pipe: PluginEntry | undefined;
  /** Functions as they may run now, and what is stored of the model, which says which of them do. */
  functions: FunctionIndex;
  metas: ModelMetas;
  /** What it looks things up in for people of the caller's organization; it opens nothing to anybody. */
  knowledge: readonly ModelKnowledge[];
}

export interface FindOptions extends Pick<ListOptions, "budgetMs"> {
  /**
   * For models that the settings name (titles and the like): the person's own rights do not count. Where no person asks (the
   * context's actor is none), it is the same model whoever it is for: everyone's connections come first.
   */
  asService?: boolean;
}

/** A function that has to be started first takes longer for its list than a provider, and the id says that it is meant. */
const functionBudgetMs = 15_000;
/** How long an earlier connection may take to claim an id that a later one has answered for, in milliseconds. */
const orderGraceMs = 200;

/**
 * Finds the model and decides whether the caller may use it: no round trip when warm, one when cold. Rights are looked at
 * first, so that nobody learns anything, or makes a provider work, with an id that is not for them. Dead providers hold
 * nothing up: a model that was listed before, or that a connection names, needs no provider at all.
 * @throws AppError `model_not_found` for an unknown model as for one that the caller may not use; `upstream_unreachable` for a
 *   connection whose secrets are lost.
 */
export async function findModel(ctx: Context, id: string, options: FindOptions = {}): Promise<ResolvedModel> {
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
    functions: functionsInUse(ctx.settings, snapshot.functions),
    metas: metasOf(snapshot, found),
    knowledge: knowledgeOf(ctx, snapshot, id),
  };
}

/**
 * Whether an answer of the model that has begun may go on to this caller: as `findModel`, but no provider is asked, and none
 * takes a right away by being out of reach.
 * @throws AppError `model_not_found` when it may not
 */
export async function requireModelRight(ctx: Context, id: string): Promise<void> {
  const snapshot = await requireRight(ctx, id, {});
  const baseId = snapshot.stored.get(id)?.baseModelId ?? id;
  if (baseId === guideModel.id && !hasSources(ctx.settings, snapshot)) return;
  const mayHave = ({ connection, upstreamId, known }: Candidate) =>
    !known || known.failure !== undefined || placeIn(connection, upstreamId, known) !== undefined;
  if (!candidatesOf(ctx, requireUser(ctx), snapshot, baseId).some(mayHave)) throw unknownModel(id);
}

async function requireRight(ctx: Context, id: string, options: FindOptions): Promise<Snapshot> {
  if (!options.asService) requireUser(ctx);
  const snapshot = await loadSnapshot(ctx);
  const isOff = snapshot.stored.get(id)?.isActive === false;
  const isAllowed = options.asService || mayUse({ snapshot, settings: ctx.settings, viewer: requireUser(ctx) }, id);
  if (isOff || !isAllowed) throw unknownModel(id);
  return snapshot;
}

/** Whose connections there are. */
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

/** What is stored of the model, and of the one that it stands on. */
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
  const candidates = candidatesOf(ctx, viewerOf(ctx, options), snapshot, id);
  const known = candidates.map(({ connection, upstreamId, known }) => ({
    place: placeIn(connection, upstreamId, known),
    failed: known?.failure !== undefined,
  }));
  // A provider that failed last time still gets what only it has: its own error says more than "unknown model".
  const hit = known.find(({ place, failed }) => place && !failed) ?? known.find(({ place }) => place);
  if (hit?.place) return hit.place;
  const unclear = candidates.filter(
    ({ connection, known }) => !known || ctx.now() - known.checkedAt > freshSeconds || wasHurried(connection, known),
  );
  if (unclear.length === 0) return undefined;
  const budgetMs = options.budgetMs ?? defaultBudgetMs;
  const isFunction = unclear.some(({ connection }) => connection.pipe);
  return ask(ctx, unclear, isFunction ? Math.max(budgetMs, functionBudgetMs) : budgetMs);
}

/** Whether a function had less time for its list than is its own where a model of it is meant. */
function wasHurried({ pipe }: Connection, { failure, latencyMs }: ListState): boolean {
  return pipe !== undefined && failure?.reason === "timeout" && latencyMs < functionBudgetMs;
}

interface Candidate {
  connection: Connection;
  upstreamId: string;
  known: ListState | undefined;
}

/** Connections that may have the model for the caller, as far as is known without asking. */
function candidatesOf(ctx: Context, viewer: ModelViewer, snapshot: Snapshot, id: string): Candidate[] {
  return sourcesFor(ctx.settings, snapshot, viewer).flatMap((connection) => {
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
  return { kind, driver: driverOf(kind), connection: { ...connection, apiRoot }, upstreamId: model.id };
}

/**
 * Further connections that have the model, as far as is known without asking. Only those that are there for the same people:
 * an administrator's question is not put to another organization's provider because everyone's has failed.
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

/** Asks them all; the first that has the model wins, but an earlier connection gets a moment to say that it has it too. */
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
