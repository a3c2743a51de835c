import { networkFailure } from "../chat/completions/network-failure.ts";
import { AppError } from "../errors.ts";
import type { AttemptError } from "./schema.ts";

const errorOf: Readonly<Record<string, AttemptError>> = {
  upstream_address_not_allowed: "private_address",
  upstream_timeout: "timeout",
  upstream_tls_failed: "tls",
  upstream_unreachable: "unreachable",
};

/** What the error of a fetch stands for; runtimes say it in words only, and some of them not at all. */
export function failureOf(error: unknown): AttemptError {
  if (error instanceof AppError && error.code === "address_not_allowed") return "private_address";
  return errorOf[networkFailure(error).code ?? ""] ?? "network";
}
