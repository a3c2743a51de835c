import type { AppError } from "../errors.ts";

/**
 * A dialect: how one family of routes says an error. Headers such as `Retry-After` are added by the caller.
 * @param request where the words depend on what was asked: its path as it was routed, and its headers
 */
export type RenderError = {
  (
    error: AppError,
    requestId: string,
    request: { path: string; headers: Headers },
  ): { body: unknown; contentType: string; headers?: Record<string, string> };
  /** As metrics call it. */
  dialectName?: string;
};

/** Gives a dialect its name. */
export function nameDialect<T extends RenderError>(dialectName: string, render: T): T {
  return Object.assign(render, { dialectName });
}

/** `application/problem+json` (RFC 9457); `detail` is always a string, as Open WebUI's clients expect. */
export const renderProblem = nameDialect("problem", (error, requestId) => ({
  contentType: "application/problem+json",
  body: {
    type: "about:blank",
    title: titles[error.status] ?? "Error",
    status: error.status,
    detail: error.message,
    code: error.code,
    request_id: requestId,
    ...(error.issues ? { issues: error.issues } : {}),
    ...error.members,
  },
}));

const titles: Record<number, string> = {
  400: "Bad request",
  401: "Not signed in",
  403: "Not allowed",
  404: "Not found",
  405: "Method not allowed",
  409: "Conflict",
  413: "Too large",
  415: "Unsupported media type",
  422: "Invalid input",
  426: "Upgrade required",
  429: "Too many requests",
  500: "Internal error",
  502: "Bad gateway",
  503: "Not ready",
  504: "Gateway timeout",
  507: "Storage full",
};
