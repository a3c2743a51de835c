import { AppError } from "../errors.ts";

/** RFC 7644, section 3.12, table 9. */
export type ScimType =
  | "invalidFilter"
  | "tooMany"
  | "uniqueness"
  | "mutability"
  | "invalidSyntax"
  | "invalidPath"
  | "noTarget"
  | "invalidValue"
  | "invalidVers"
  | "sensitive";

/** An error that SCIM has a name for: 409 for `uniqueness`, else 400. The message is the `detail` of the answer. */
export class ScimError extends AppError {
  readonly scimType: ScimType;

  constructor(scimType: ScimType, detail: string) {
    super(scimType === "uniqueness" ? "conflict" : "bad_request", detail);
    this.name = "ScimError";
    this.scimType = scimType;
  }
}

/** A path that is there, but not with this method; the answer names those that it has (RFC 9110, section 15.5.6). */
export class MethodNotAllowed extends AppError {
  readonly allowed: string;

  constructor(method: string, allowed: readonly string[]) {
    super("method_not_allowed", `${method} is not possible here, only ${allowed.join(", ")}`);
    this.name = "MethodNotAllowed";
    this.allowed = allowed.join(", ");
  }
}
