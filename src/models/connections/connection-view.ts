import type { Context } from "../../context.ts";
import { maskedValue } from "../../http/header-rules.ts";
import { healthOf } from "../calling/connection-calls.ts";
import type { Connection } from "./connection.ts";
import { failureReason, type ConnectionView } from "./schema.ts";
import type { connectionChecks } from "./tables.ts";

type CheckRow = typeof connectionChecks.$inferInsert;

/** A connection for administrators: whether there is a key, and the names of headers, but never their values. */
export function connectionView(
  ctx: Pick<Context, "environment">,
  connection: Connection,
  check: CheckRow | undefined,
): ConnectionView {
  return {
    id: connection.id,
    kind: connection.kind,
    name: connection.name,
    base_url: connection.baseUrl,
    has_key: connection.key !== undefined,
    headers: Object.fromEntries(Object.keys(connection.headers).map((name) => [name, maskedValue])),
    organization_id: connection.organizationId,
    prefix_id: connection.prefixId,
    model_ids: connection.modelIds,
    tags: connection.tags,
    enabled: connection.enabled,
    locked: connection.locked,
    quirks: connection.quirks,
    policy: connection.policy,
    status: statusOf(connection, check),
    health: healthOf(ctx, connection),
    created_at: connection.createdAt,
    updated_at: connection.updatedAt,
  };
}

export function statusOf(connection: Connection, check: CheckRow | undefined): ConnectionView["status"] {
  if (connection.unusable !== undefined) {
    return {
      state: "failed",
      checked_at: check?.checkedAt ?? null,
      reason: "secret_lost",
      error: connection.unusable,
      model_count: 0,
      latency_ms: 0,
    };
  }
  if (!check) return { state: "unknown", checked_at: null, model_count: 0, latency_ms: 0 };
  const { data: reason } = failureReason.safeParse(check.reason);
  return {
    state: check.ok ? "ok" : "failed",
    checked_at: check.checkedAt,
    ...(reason ? { reason } : {}),
    ...(typeof check.error === "string" ? { error: check.error } : {}),
    model_count: check.modelCount,
    latency_ms: check.latencyMs,
  };
}
