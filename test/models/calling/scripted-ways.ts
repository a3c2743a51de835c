import { expect, vi } from "vitest";
import { parseEnvironment } from "../../../src/compose/parse-environment.ts";
import type { Reading, Way } from "../../../src/models/calling/call-attempt.ts";
import { callWays } from "../../../src/models/calling/call-ways.ts";
import { healthOf } from "../../../src/models/calling/connection-calls.ts";
import { type ConnectionPolicy, usualPolicy } from "../../../src/models/calling/schema.ts";
import type { Connection } from "../../../src/models/connections/connection.ts";
import { guideConnection } from "../../../src/models/drivers/function-model/driver.ts";
import { UpstreamError } from "../../../src/upstream/errors/upstream-error.ts";

export const until = (holds: () => boolean) =>
  vi.waitFor(() => expect(holds()).toBe(true), { timeout: 20_000, interval: 10 });

export type Behaviour = (signal: AbortSignal) => Response | Promise<Response>;

export const ok = () => new Response("answer");
export const status =
  (code: number, headers: Record<string, string> = {}, body = "") =>
  () =>
    new Response(body, { status: code, headers });
export const refused = (): Promise<Response> => Promise.reject(new Error("connect ECONNREFUSED 127.0.0.1:1"));
/** As a provider that takes the call and stays silent: the runtime ends it with the signal. */
export const hangs = (signal: AbortSignal) =>
  new Promise<Response>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  });
/** A good status, and the connection breaks before anything follows. */
export const breaks = () =>
  new Response(new ReadableStream({ pull: (controller) => controller.error(new Error("Network connection lost.")) }));

/** An isolate of its own. The connections do what they are told, call by call; the last word holds on. */
export function createIsolate() {
  const environment = parseEnvironment({ UPSTREAM_TIMEOUT: "30" });
  const ctx = { environment, settings: { ...environment, UPSTREAM_TIMEOUT: 30 } as never, waitUntil: () => undefined };
  let made = 0;
  const connect = (behaviours: Behaviour[], policy: Partial<ConnectionPolicy> = {}) => {
    const connection: Connection = {
      ...guideConnection,
      id: `connection-${made++}`,
      baseUrl: "http://127.0.0.1:1/v1",
      key: "sk-secret-harbour",
      policy: { ...usualPolicy, ...policy },
    };
    const asked: number[] = [];
    const way: Way = {
      connection,
      model: "tide",
      async ask(signal) {
        asked.push(Date.now());
        return behaviours[Math.min(asked.length, behaviours.length) - 1]!(signal);
      },
    };
    return { way, asked, health: () => healthOf(ctx, connection), connection };
  };
  const call = (ways: Way[], options: { signal?: AbortSignal; idempotent?: boolean; reading?: Reading } = {}) =>
    callWays(ctx, ways as [Way, ...Way[]], { signal: new AbortController().signal, idempotent: true, ...options });
  return { connect, call, ctx };
}

export const textOf = async (answer: Promise<Response>) => (await answer).text();
export const failureOf = async (answer: Promise<Response>): Promise<UpstreamError> => {
  const found = await answer.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(found).toBeInstanceOf(UpstreamError);
  return found as UpstreamError;
};
