import { isReading } from "../../../src/db/is-read-only.ts";
import { isRecord, tryParseJson } from "../../../src/lib/json.ts";
import type { Outcome } from "./hrana-socket.ts";

/** What a pipeline comes to where it does one thing. */
export interface SingleWork {
  /** `execute` or `batch`, with the texts of its statements in it. */
  request: Record<string, unknown>;
  writes: boolean;
  /** What the HTTP client expects before and after the one answer. */
  storedTexts: number;
}

type Statement = Record<string, unknown>;

/**
 * The body of a Hrana HTTP pipeline (`POST /v2/pipeline`, as @libsql/client sends it) as one request for a stream that is open
 * already; undefined for whatever leaves something behind on its stream: then it needs one of its own.
 */
export function readPipeline(body: string): SingleWork | undefined {
  const pipeline = tryParseJson(body);
  if (!isRecord(pipeline) || (pipeline["baton"] ?? null) !== null || !Array.isArray(pipeline["requests"]))
    return undefined;
  const requests = pipeline["requests"] as Record<string, unknown>[];
  if (requests.at(-1)?.["type"] !== "close") return undefined;
  const texts = new Map<unknown, unknown>();
  for (const { type, sql_id: id, sql } of requests.slice(0, -2)) {
    if (type !== "store_sql") return undefined;
    texts.set(id, sql);
  }
  const request = requests.at(-2);
  const statements = request && statementsOf(request);
  if (!request || !statements) return undefined;
  for (const statement of statements) {
    if (statement["sql_id"] === undefined) continue;
    statement["sql"] = texts.get(statement["sql_id"]);
    delete statement["sql_id"];
  }
  const first = statements[0]?.["sql"];
  return typeof first === "string"
    ? { request, writes: isWriting(first, statements.length > 1), storedTexts: texts.size }
    : undefined;
}

function statementsOf(request: Record<string, unknown>): Statement[] | undefined {
  if (request["type"] === "execute" && isRecord(request["stmt"])) {
    // Alone it would leave a transaction open.
    return /^\s*(?:begin|savepoint)\b/i.test(String(request["stmt"]["sql"])) ? undefined : [request["stmt"]];
  }
  const { batch } = request;
  if (request["type"] !== "batch" || !isRecord(batch) || !Array.isArray(batch["steps"])) return undefined;
  const statements = (batch["steps"] as Record<string, unknown>[]).map(({ stmt }) => stmt as Statement);
  // Whatever was begun is ended by its last step.
  return statements.at(-1)?.["sql"] === "ROLLBACK" ? statements : undefined;
}

function isWriting(first: string, isBatch: boolean): boolean {
  return isBatch ? !/^\s*begin transaction readonly/i.test(first) : !isReading(first);
}

/** The answer of the pipeline, as the database would have given it over HTTP. */
export function pipelineAnswer({ storedTexts }: SingleWork, outcome: Outcome): string {
  const stored = `{"type":"ok","response":{"type":"store_sql"}},`.repeat(storedTexts);
  const result = outcome.ok
    ? `{"type":"ok","response":${outcome.response}}`
    : `{"type":"error","error":${outcome.error}}`;
  return `{"baton":null,"base_url":null,"results":[${stored}${result},{"type":"ok","response":{"type":"close"}}]}`;
}
