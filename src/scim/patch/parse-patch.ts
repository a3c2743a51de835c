import { isRecord } from "../../lib/json.ts";
import { ScimError } from "../scim-error.ts";
import { isCoreSchema, parsePath, type Path } from "./parse-path.ts";

/** `path` is null where `value` is an object whose keys are paths; a value that was not sent is undefined. */
export type PatchOperation =
  | { op: "add" | "replace"; path: Path | null; value: unknown }
  | { op: "remove"; path: Path; value: unknown };

const maxOperations = 1_000;

/**
 * The operations of a PATCH body (RFC 7644, section 3.5.2). `schemas` may say anything or be absent: OneLogin and others send old
 * names (user-demands 1.1).
 * @throws ScimError invalidSyntax, invalidPath, invalidFilter, noTarget (remove without a path), invalidValue, tooMany
 */
export function parsePatch(body: unknown): PatchOperation[] {
  const operations = isRecord(body) ? field(body, "operations") : undefined;
  if (!Array.isArray(operations) || operations.length === 0) {
    throw new ScimError("invalidSyntax", 'A PATCH needs "Operations", a list of at least one operation.');
  }
  if (operations.length > maxOperations) {
    throw new ScimError(
      "tooMany",
      `A PATCH can have at most ${maxOperations} operations, this one has ${operations.length}.`,
    );
  }
  return operations.map((operation, index) => parseOperation(operation, `Operation ${index + 1}`));
}

function parseOperation(operation: unknown, which: string): PatchOperation {
  if (!isRecord(operation)) throw new ScimError("invalidSyntax", `${which} is not an object.`);
  const sent = field(operation, "op");
  const op = typeof sent === "string" ? sent.toLowerCase() : undefined;
  if (op !== "add" && op !== "replace" && op !== "remove") {
    throw new ScimError("invalidSyntax", `${which} needs an "op": add, replace or remove.`);
  }
  const path = readPath(field(operation, "path"), which);
  const value = field(operation, "value");
  if (op === "remove") {
    if (path === null) throw new ScimError("noTarget", `${which} is a remove operation without a path.`);
    return { op, path, value };
  }
  if (value === undefined) throw new ScimError("invalidValue", `${which} has no value for ${op}.`);
  return { op, path, value };
}

function readPath(path: unknown, which: string): Path | null {
  if (path === undefined || path === null || path === "") return null;
  if (typeof path !== "string")
    throw new ScimError("invalidPath", `The path of ${which.toLowerCase()} is not a string.`);
  return isCoreSchema(path) ? null : parsePath(path);
}

function field(from: Record<string, unknown>, name: string): unknown {
  const key = Object.keys(from).find((candidate) => candidate.toLowerCase() === name);
  return key === undefined ? undefined : from[key];
}
