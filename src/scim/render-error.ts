import type { ErrorCode } from "../errors.ts";
import { nameDialect, type RenderError } from "../http/render-problem.ts";
import { MethodNotAllowed, ScimError, type ScimType } from "./scim-error.ts";

export const scimContentType = "application/scim+json";

/** What errors from elsewhere are called here (RFC 7644, section 3.12). */
const scimTypes: Partial<Record<ErrorCode, ScimType>> = {
  bad_request: "invalidSyntax",
  invalid_email: "invalidValue",
};

/** SCIM's dialect: `{schemas, status: "409", scimType, detail}`. */
export const renderScimError: RenderError = nameDialect("scim", (error, requestId) => {
  const scimType = error instanceof ScimError ? error.scimType : scimTypes[error.code];
  const isUnexpected = error.status === 500 && error.cause !== undefined;
  return {
    contentType: scimContentType,
    ...(error instanceof MethodNotAllowed && { headers: { allow: error.allowed } }),
    body: {
      schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
      status: String(error.status),
      ...(scimType && { scimType }),
      detail: isUnexpected ? `${error.message}: ${requestId}` : error.message,
    },
  };
});
