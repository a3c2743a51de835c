/**
 * The one error type that verbs throw, and the one table from its code to an HTTP status.
 * Each router says in which dialect its errors are rendered; the code is stable and machine readable.
 */
export const statusOf = {
  bad_request: 400,
  plugin_failed: 400,
  plugin_invalid: 400,
  plugin_package_missing: 400,
  file_processing: 400,
  file_failed: 400,
  file_no_text: 400,
  file_not_processed: 400,
  duplicate_content: 400,
  invalid_email: 400,
  email_taken: 400,
  invalid_password: 400,
  invalid_credentials: 400,
  incorrect_password: 400,
  not_signed_in: 401,
  session_ended: 401,
  second_factor_required: 401,
  account_inactive: 401,
  endpoint_not_listed: 401,
  forbidden: 403,
  account_pending: 403,
  second_factor_missing: 403,
  organization_inactive: 403,
  key_not_allowed: 403,
  signup_disabled: 403,
  password_auth_disabled: 403,
  origin_not_allowed: 403,
  setting_locked: 403,
  address_not_allowed: 403,
  plugins_disabled: 403,
  execute_not_allowed: 403,
  not_found: 404,
  model_not_found: 404,
  sso_unknown_provider: 404,
  method_not_allowed: 405,
  conflict: 409,
  limit_reached: 409,
  legal_hold: 409,
  no_client: 409,
  call_closed: 409,
  payload_too_large: 413,
  storage_full: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  invalid_event: 422,
  upgrade_required: 426,
  too_many_requests: 429,
  quota_exceeded: 429,
  internal_error: 500,
  upstream_unreachable: 502,
  upstream_invalid_answer: 502,
  plugin_stopped: 502,
  embedding_failed: 502,
  tool_server_failed: 502,
  not_ready: 503,
  write_timeout: 503,
  passwords_unavailable: 503,
  plugin_unavailable: 503,
  upstream_timeout: 504,
  plugin_timeout: 504,
  call_timeout: 504,
  organization_storage_full: 507,
  service_storage_full: 507,
  disk_full: 507,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof statusOf;

/** One problem with one field of the input; `path` is dotted, `""` is the body itself. */
export interface Issue {
  path: string;
  message: string;
}

export interface ErrorDetails {
  issues?: Issue[];
  /** Seconds until a retry can help; sent as `Retry-After`. */
  retryAfter?: number;
  /** The request field at fault, for dialects that name it. */
  param?: string;
  /** Further members of a problem document (RFC 9457, section 3.2). */
  members?: Record<string, unknown>;
  cause?: unknown;
}

export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly issues: Issue[] | undefined;
  readonly retryAfter: number | undefined;
  readonly param: string | undefined;
  readonly members: Record<string, unknown> | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = "AppError";
    this.code = code;
    this.status = statusOf[code];
    this.issues = details.issues;
    this.retryAfter = details.retryAfter;
    this.param = details.param;
    this.members = details.members;
  }
}
