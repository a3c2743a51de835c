import { AppError, type ErrorCode } from "../errors.ts";
import type { PluginFailure } from "./plugin-host.ts";

/** What a plugin's own refusal says to clients. 401 is only for credentials that are not valid, and no plugin looks at those. */
const refusals: Readonly<Record<number, ErrorCode>> = {
  403: "forbidden",
  404: "not_found",
  409: "conflict",
  413: "payload_too_large",
  415: "unsupported_media_type",
  422: "validation_failed",
  429: "too_many_requests",
};

const codes: Readonly<Record<PluginFailure["code"], ErrorCode>> = {
  threw: "plugin_failed",
  missing: "plugin_failed",
  output: "plugin_failed",
  budget: "too_many_requests",
  aborted: "plugin_failed",
  timeout: "plugin_timeout",
  stopped: "plugin_stopped",
  paused: "plugin_unavailable",
  unavailable: "plugin_unavailable",
};

/**
 * A plugin failure as an error of the service. A plugin's own 4xx status (HTTPException) is kept if the service knows
 * it; a package that it lacks is `plugin_package_missing`; everything else that it throws is `plugin_failed`, with its own message.
 * @param plugin its name, for the service's messages
 */
export function pluginError(failure: PluginFailure, plugin: string): AppError {
  const { code, message, status, retryAfter, package: missing } = failure;
  if (code === "threw" && missing !== undefined) return new AppError("plugin_package_missing", message);
  if (code === "threw") return new AppError(refusals[status ?? 0] ?? "plugin_failed", message || `${plugin} failed`);
  return new AppError(codes[code], `${plugin}: ${message}`, retryAfter === undefined ? {} : { retryAfter });
}
