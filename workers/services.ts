import { createClient } from "@libsql/client/web";
import { createTokenSigner } from "../src/auth/tokens.ts";
import type { Services } from "../src/context.ts";
import { createDatabase } from "../src/db/client.ts";
import { consoleLog } from "../src/lib/log.ts";
import { createVault } from "../src/lib/vault.ts";
import type { Lookup } from "../src/ports.ts";
import { startup, type Env } from "./env.ts";
import { createLiveSessions } from "./live-sessions.ts";
import { createOutbound } from "./outbound.ts";

/** Composition root: the bindings of this home as the ports that verbs know. */
export function createServices(env: Env, waitUntil: (work: Promise<unknown>) => void): Services {
  const { environment, ring } = startup(env);
  const outbound = createOutbound(env, environment);
  // A client holds no connection; one that outlived its request would hang in the next.
  const client = createClient({ url: env.DB_URL, fetch: outbound.trusted, ...(env.DB_AUTH_TOKEN ? { authToken: env.DB_AUTH_TOKEN } : {}) });
  const direct: Lookup = async (statement) => (await client.execute(statement)).rows;
  return {
    db: createDatabase(client),
    lookup: env.LOOKUP_GATE === "1" ? gated(env, direct) : direct,
    vault: createVault(ring),
    tokens: createTokenSigner(ring),
    live: createLiveSessions(env),
    outbound,
    environment,
    log: consoleLog,
    now: () => Math.floor(Date.now() / 1000),
    waitUntil,
  };
}

/** Over the gate's persistent streams; whatever goes wrong there, the client of the request answers instead. */
function gated(env: Env, direct: Lookup): Lookup {
  const gate = env.STATEMENT_GATE.getByName("gate");
  return async (statement) => {
    try {
      const { columns, rows } = await gate.read(statement.sql, statement.args as (string | number | null)[]);
      return rows.map((values) => Object.fromEntries(columns.map((column, index) => [column, values[index]]))) as unknown as Awaited<ReturnType<Lookup>>;
    } catch {
      return direct(statement);
    }
  };
}
