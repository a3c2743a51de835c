import { isRecord } from "../../lib/json.ts";
import { quoted } from "../quoted.ts";
import { ScimError } from "../scim-error.ts";
import type { PatchOperation } from "./parse-patch.ts";
import { isCoreSchema, parsePath, type Path } from "./parse-path.ts";
import { noAttribute } from "./path-errors.ts";

/**
 * How a resource treats an attribute: stored; read-only; or defined by RFC 7643 but not stored. Keys are in lower case.
 */
export type AttributeKinds = ReadonlyMap<string, "kept" | "readOnly" | "notKept">;

export interface TargetedOperation {
  op: PatchOperation["op"];
  path: Path;
  value: unknown;
}

/**
 * The operation split into ones with a path to a stored attribute. An object without a path becomes one for each key,
 * which may be dotted, have a filter or a URN (Entra ID); read-only and unknown keys in it are ignored (Okta sends
 * `id`), unless there is nothing else. Attributes that are not stored, and those of extensions, are ignored.
 * @throws ScimError `mutability` and `invalidPath` for attributes that cannot be written
 */
export function expandOperation({ op, path, value }: PatchOperation, kinds: AttributeKinds): TargetedOperation[] {
  if (path === null) {
    if (!isRecord(value)) {
      throw new ScimError("invalidValue", "Without a path, the value of an operation must be an object of attributes.");
    }
    const { targets, understood, unknown } = readAttributes(op, value, kinds);
    if (understood === 0 && unknown !== undefined) throw noAttribute(unknown);
    return targets;
  }
  switch (kindOf(path, kinds)) {
    case "kept":
      return [{ op, path, value }];
    case "notKept":
      return [];
    case "readOnly":
      throw new ScimError("mutability", `${quoted(path.written)} is read-only.`);
    default:
      throw noAttribute(path.written);
  }
}

/**
 * A whole resource as operations that replace its attributes; unknown ones are ignored.
 * @throws ScimError `invalidSyntax`
 */
export function expandResource(body: unknown, kinds: AttributeKinds): TargetedOperation[] {
  if (!isRecord(body)) throw new ScimError("invalidSyntax", "The body is not a JSON object.");
  return readAttributes("replace", body, kinds).targets;
}

interface Attributes {
  targets: TargetedOperation[];
  understood: number;
  unknown?: string;
}

function readAttributes(op: PatchOperation["op"], value: Record<string, unknown>, kinds: AttributeKinds): Attributes {
  const found: Attributes = { targets: [], understood: 0 };
  const read = (key: string, entry: unknown): void => {
    const path = tryParsePath(key);
    const kind = path && kindOf(path, kinds);
    if (kind === undefined) found.unknown ??= key;
    else found.understood++;
    if (path && kind === "kept") found.targets.push({ op, path, value: entry });
  };
  for (const [key, entry] of Object.entries(value)) {
    if (isCoreSchema(key) && isRecord(entry)) {
      for (const [inner, innerEntry] of Object.entries(entry)) read(inner, innerEntry);
    } else read(key, entry);
  }
  return found;
}

function kindOf({ attribute: { name } }: Path, kinds: AttributeKinds): "kept" | "readOnly" | "notKept" | undefined {
  return name.startsWith("urn:") ? "notKept" : kinds.get(name);
}

/** A key that is no path is an unknown attribute; a broken filter in one is an error. */
function tryParsePath(key: string): Path | undefined {
  try {
    return parsePath(key);
  } catch (error) {
    if (error instanceof ScimError && error.scimType === "invalidPath") return undefined;
    throw error;
  }
}
