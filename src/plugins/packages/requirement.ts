import { normalizeName } from "./wheel-index.ts";

/** A requirement (dependency specifiers of PyPA, formerly PEP 508), without its marker. */
export interface Requirement {
  /** Normalized (PEP 503). */
  name: string;
  /** Optional parts of that package, normalized. */
  extras: string[];
  /** Such as `>=2,<3`; "" for any version. */
  specifier: string;
}

/** Longest text of one requirement, in characters. */
const maxLength = 500;

/**
 * Reads `name[extra]>=1,<2; marker`.
 * @returns undefined for what is no requirement, and for one that names an address of its own: packages come from the allowed
 *   registries only
 */
export function readRequirement(text: string): (Requirement & { marker: string }) | undefined {
  const [requirement = "", ...marker] = text.split(";");
  if (text.length > maxLength) return undefined;
  const parts = /^([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[([^\]]*)\])?\s*(\(?[^@()]*\)?)$/.exec(
    requirement.trim(),
  );
  if (!parts) return undefined;
  const [, name = "", extras = "", versions = ""] = parts;
  const specifier = versions.replaceAll(/[()\s]/g, "");
  if (!/^(?:(?:~=|===?|!=|[<>]=?)[\w.*+!-]+(?:,|$))*$/.test(specifier)) return undefined;
  return {
    name: normalizeName(name),
    extras: extras.split(",").flatMap((extra) => (extra.trim() === "" ? [] : [normalizeName(extra.trim())])),
    specifier,
    marker: marker.join(";").trim(),
  };
}

/** As people write it. */
export function writeRequirement({ name, extras, specifier }: Requirement): string {
  return `${name}${extras.length > 0 ? `[${extras.join(",")}]` : ""}${specifier}`;
}
