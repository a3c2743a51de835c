import type { SsoErrorCode } from "./schema.ts";

/** What the audit log says of a sign-in that failed; never a token, code or secret. */
export interface FailureDetail {
  /** The provider's own error code, or what kind of thing went wrong. */
  error?: string | undefined;
  /** The provider's own words, or ours for administrators. */
  error_description?: string | undefined;
  subject?: string | undefined;
  email?: string | undefined;
  roles?: readonly string[] | undefined;
}

/** A sign-in that ends on the sign-in page: the code is for the person, the detail for administrators. */
export class SsoFailure extends Error {
  readonly code: SsoErrorCode;
  readonly detail: FailureDetail;

  constructor(code: SsoErrorCode, detail: FailureDetail = {}, cause?: unknown) {
    super(`${code}: ${detail.error_description ?? detail.error ?? ""}`, { cause });
    this.name = "SsoFailure";
    this.code = code;
    this.detail = detail;
  }
}

/** The provider cannot be reached, or what it says does not hold; the message is for administrators. */
export class ProviderError extends Error {
  /** The provider's own error code, where it gave one. */
  readonly error: string | undefined;

  constructor(message: string, { cause, error }: { cause?: unknown; error?: string | undefined } = {}) {
    super(message, { cause });
    this.name = "ProviderError";
    this.error = error;
  }
}
