import type { Context, Environment, Services } from "../context.ts";
import type { AppError } from "../errors.ts";
import { newId } from "../lib/id.ts";
import { auditEvents } from "../people/audit/tables.ts";
import { requireProvisioner } from "./require-provisioner.ts";
import { ScimError } from "./scim-error.ts";

/** Every request of the identity provider leaves one row; a failed one has an `error` in its detail. */
export interface NotedRequest {
  /** Dotted: `scim.user.read`. */
  action: string;
  targetType: "user" | "group" | "scim";
  /** "" where there is none. */
  targetId: string;
  detail: Record<string, unknown>;
}

export const failedAction = "scim.request.failed";

/** Notes a request that changed nothing: within a moment, and the answer does not wait for it. */
export function noteRequest(ctx: Context, request: NotedRequest): void {
  const { token } = requireProvisioner(ctx);
  note(ctx, ctx.requestId, { ...request, detail: { token, ...request.detail } });
}

/** What an error is in the audit. */
export function errorDetail(error: AppError): Record<string, unknown> {
  return {
    status: error.status,
    ...(error instanceof ScimError && { scim_type: error.scimType }),
    error: error.message,
  };
}

/** Seconds in which one refusal is noted: strangers must not be able to fill the audit. */
const refusalIntervalSeconds = 60;
const lastRefusals = new WeakMap<Environment, number>();

/** Notes that a request was not let in, so that a wrong token is seen by who set it up. */
export function noteRefusal(services: Services, requestId: string, operation: string, error: AppError): void {
  if (services.environment.SCIM_ENABLED !== true) return;
  const now = services.now();
  if (now - (lastRefusals.get(services.environment) ?? 0) < refusalIntervalSeconds) return;
  lastRefusals.set(services.environment, now);
  note(services, requestId, {
    action: "scim.request.refused",
    targetType: "scim",
    targetId: "",
    detail: { operation: operation.slice(0, 200), ...errorDetail(error) },
  });
}

interface Waiting {
  rows: (typeof auditEvents.$inferInsert)[];
  /** When they were to be written, in milliseconds. */
  due: number;
}

/** Rows of requests that changed nothing, until they are written together; those of one database know it by its environment. */
const waiting = new WeakMap<Environment, Waiting>();

/** Milliseconds in which rows are gathered. An identity provider asks for everybody, one by one: that must not be a write each. */
const gatherMs = 200;
/** Milliseconds after which whoever was to write them has been lost on the way. */
const lostAfterMs = 5000;
/** Rows of one statement; a row has ten values. */
const maxRows = 500;

function note(services: Services, requestId: string, { action, targetType, targetId, detail }: NotedRequest): void {
  const known = waiting.get(services.environment) ?? { rows: [], due: 0 };
  waiting.set(services.environment, known);
  const isFirst = known.rows.length === 0 || Date.now() > known.due + lostAfterMs;
  known.rows.push({
    id: newId(),
    at: services.now(),
    actorKind: "scim",
    action,
    targetType,
    targetId: targetId.slice(0, 200),
    detail,
    requestId,
  });
  if (!isFirst) return;
  known.due = Date.now() + gatherMs;
  services.waitUntil(writeNoted(services, known));
}

async function writeNoted(services: Services, known: Waiting): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, gatherMs));
  try {
    for (let rows = known.rows.splice(0, maxRows); rows.length > 0; rows = known.rows.splice(0, maxRows))
      await services.db.insert(auditEvents).values(rows);
  } catch (error) {
    services.log.error("could not store SCIM requests", { error });
  }
}
