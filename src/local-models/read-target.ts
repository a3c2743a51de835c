import { AppError } from "../errors.ts";
import { findCall, proxyBases } from "./runtime-calls.ts";

/** What a request to the proxy is about. */
export interface Target {
  /** Which of the caller's runtimes is meant: its place among them, or its connection's id; undefined for any. */
  runtime: string | undefined;
  /** Below the runtime's own address, as it was spelled: `/api/chat`. */
  path: string;
  /** With the question mark; empty for none. */
  query: string;
}

const address = /^[a-z]+:\/\/[^/?#]*([^?#]*)(\?[^#]*)?/i;
/** `/localmodel/1/api/chat` and `/localmodel/<connection>/api/chat`. */
const before = /^\/(\d{1,4}|env-local-\d{1,4}|[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})(\/.*)$/;
/** The peer's `/ollama/api/chat/1`. */
const behind = /^(.+)\/(\d{1,4})$/;

/**
 * Reads the address of a request as it was sent: what a router takes apart (`%61`, dots) would be another path to the runtime.
 * @throws AppError `bad_request` for a path that means another one than it says
 */
export function readTarget(method: string, url: string): Target {
  const [, sent = "", query = ""] = address.exec(url) ?? [];
  const base = proxyBases.find((each) => sent === each || sent.startsWith(`${each}/`));
  if (base === undefined) throw new AppError("bad_request", "The path must not be escaped or contain . or ..");
  const rest = sent.slice(base.length) || "/";
  // Dots, escaped ones too, and backslashes lead elsewhere once the path is part of an address.
  if (rest.includes("\\") || new URL(`http://runtime${rest}`).pathname !== rest || /\/\//.test(rest))
    throw new AppError("bad_request", "The path must not be escaped or contain . or ..");
  const [, runtime, path = rest] = before.exec(rest) ?? [];
  if (runtime !== undefined) return { runtime, path, query };
  const [, call, place] = behind.exec(rest) ?? [];
  if (call !== undefined && place !== undefined && findCall(method, call)) return { runtime: place, path: call, query };
  return { runtime: undefined, path: rest, query };
}
