import { proxyBases, runtimeCalls } from "../../src/local-models/runtime-calls.ts";
import { everyone, systemAdmin, type Row } from "./cells.ts";

/** There is no runtime here: whoever may call has nothing to call. What of a runtime is for whom is tested in test/local-models. */
const rowOf = (method: string, path: string): Row => {
  const call = runtimeCalls.find((each) => each.method === method && each.path === path);
  if (call?.kind === "list") return { may: path === "/api/version" ? () => 503 : everyone };
  const say = method === "GET" ? undefined : () => ({ json: { model: "tiny", source: "tiny", destination: "other" } });
  const may: Row["may"] = call?.kind === "use" ? () => 404 : (cell) => (systemAdmin(cell) === "ok" ? 503 : 403);
  return { ...(say ? { say } : {}), may };
};

const rest = ["GET", "POST", "PUT", "PATCH", "DELETE"].map((method) => ({ method, path: "/*" }));
const administration: Row = { may: systemAdmin };
const aPull: Row = { may: (cell) => (systemAdmin(cell) === "ok" ? 404 : 403) };

/** Local runtimes behind their proxy, and what administrators do with them. */
export const localModelTable: Readonly<Record<string, Row>> = {
  ...Object.fromEntries(
    proxyBases.flatMap((base) =>
      [...runtimeCalls, ...rest].map(({ method, path }) => [`${method} ${base}${path}`, rowOf(method, path)]),
    ),
  ),
  "GET /api/v1/local-models": administration,
  "GET /api/v1/local-models/pulls": administration,
  // Connections that are no runtimes are not there.
  "POST /api/v1/local-models/pulls": {
    ids: { connection_id: "connection" },
    say: ({ connection_id }) => ({ json: { connection_id, model: "tiny" } }),
    may: (cell) => {
      if (systemAdmin(cell) !== "ok") return 403;
      return cell.variant === "malformed" ? [404, 422] : 404;
    },
  },
  "POST /api/v1/local-models/pulls/:id/stop": aPull,
  "DELETE /api/v1/local-models/pulls/:id": aPull,
};
