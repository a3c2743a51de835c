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
