import type { PriorDiscovery } from "@modelcontextprotocol/client";
import type { Environment } from "../../context.ts";
import type { Circuit } from "../../upstream/circuit.ts";
import type { ToolSpec } from "../plugin-host.ts";
import type { McpPlan } from "./mcp/tool-plan.ts";
import type { OperationPlan } from "./openapi/operation-plan.ts";
import type { ToolServer } from "./tool-server.ts";

/** One function of a server, with how it is called: plain data. */
export interface ServerFunction {
  spec: ToolSpec;
  plan: OperationPlan | McpPlan;
}

/** What a server said of itself. */
export interface Listing {
  /** Its own name; empty where it says none. */
  name: string;
  functions: ServerFunction[];
  /** What could not be used, in words. */
  warnings: string[];
  /** Of MCP servers: which generation of the protocol they speak, so that it need not be found out again. */
  prior?: PriorDiscovery | undefined;
}

/** What is known of one server, for one person or for everyone. */
export interface Known {
  listing: Listing | undefined;
  /** Why the last look failed; undefined when it did not. */
  error: string | undefined;
  /** Epoch seconds of the last look, and of the last that found a list. */
  checkedAt: number;
  listedAt: number;
  /** About how much of the isolate's memory it takes, in characters. */
  size: number;
}

/** What one isolate remembers between requests. Never promises, streams or clients: those hang in another request. */
interface ToolServerState {
  /** Servers that administrators keep, as of one stamp of the catalogue. */
  index: { stamp: number; servers: Map<string, ToolServer> } | undefined;
  listings: Map<string, Known>;
  circuits: Map<string, Circuit>;
  /** Numbers the calls that circuits let through. */
  calls: number;
}

/** By environment: one for each isolate, and one for each of several services in one process. */
const states = new WeakMap<Environment, ToolServerState>();

export function toolServerState(ctx: { environment: Environment }): ToolServerState {
  let state = states.get(ctx.environment);
  if (!state)
    states.set(ctx.environment, (state = { index: undefined, listings: new Map(), circuits: new Map(), calls: 0 }));
  return state;
}

/** Adds an entry at the end and removes the oldest above `most`. */
export function remember<T>(map: Map<string, T>, key: string, value: T, max: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > max && oldest !== undefined) map.delete(oldest);
}
