import { isRecord } from "../../lib/json.ts";
import { quoted } from "../quoted.ts";
import { ScimError } from "../scim-error.ts";
import type { PatchOperation } from "./parse-patch.ts";
import { isCoreSchema, parsePath, type Path } from "./parse-path.ts";
import { noAttribute } from "./path-errors.ts";

/**
 * What a resource does with an attribute: keeps it; only shows it; or knows it from RFC 7643 and does not keep it. Keys are in lower case.
 */
export type AttributeKinds = ReadonlyMap<string, "kept" | "readOnly" | "notKept">;

export interface TargetedOperation {
  op: PatchOperation["op"];
  path: Path;
  value: unknown;
}

/**
 * The operation as ones that each have a path to a kept attribute. An object without a path is one for each key, be it dotted, with a
 * filter or with a URN (Entra ID); in it read-only and unknown keys are passed over (Okta sends `id` along), unless there is
 * nothing else. Attributes that are not kept, and those of extensions, need nothing done.
 * @throws ScimError `mutability` and `invalidPath` for what cannot be written at all
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

/** A whole resource as operations that replace its attributes; unknown ones are passed over. @throws ScimError `invalidSyntax` */
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
