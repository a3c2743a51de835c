import { evaluateMarker } from "../environment-marker.ts";
import { readRequirement, type Requirement } from "../requirement.ts";
import { normalizeName } from "../wheel-index.ts";

/** What a package says of itself (core metadata, which is written like the headers of e-mails). */
export interface CoreMetadata {
  /** As it is written. */
  name: string;
  version: string;
  requiresPython: string | null;
  /** For people, one line; null where it says nothing. */
  license: string | null;
  summary: string | null;
  /** Those that apply to what plugins run on. */
  requires: (Requirement & { /** Only for this optional part of the package. */ for?: string })[];
}

const maxRequirements = 500;
const maxTextLength = 200;

/** @returns undefined for what has no name or no version */
export function readCoreMetadata(text: string): CoreMetadata | undefined {
  const [head = ""] = text.split(/\r?\n\r?\n/);
  const headers = head.split(/\r?\n(?![ \t])/).map((line) => {
    const at = line.indexOf(":");
    return [line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()] as const;
  });
  const all = (name: string) => headers.flatMap(([key, value]) => (key === name && value !== "" ? [value] : []));
  const [name] = all("name");
  const [version] = all("version");
  if (name === undefined || version === undefined) return undefined;
  return {
    name,
    version,
    requiresPython: all("requires-python")[0] ?? null,
    license: oneLine(
      all("license-expression")[0] ??
        all("license")[0] ??
        all("classifier")
          .flatMap((each) => (each.startsWith("License ::") ? [each.split("::").at(-1)!.trim()] : []))
          .join(", "),
    ),
    summary: oneLine(all("summary")[0] ?? ""),
    requires: all("requires-dist").slice(0, maxRequirements).flatMap(readDependency),
  };
}

/** Some write the whole text of a licence there: its first line names it. */
function oneLine(text: string): string | null {
  const [line = ""] = text.split(/\r?\n/);
  const plain = line.replaceAll(/\p{Cc}/gu, " ").trim();
  if (plain === "" || plain.toUpperCase() === "UNKNOWN") return null;
  return plain.length > maxTextLength ? `${plain.slice(0, maxTextLength - 1)}…` : plain;
}

function readDependency(text: string): CoreMetadata["requires"] {
  const read = readRequirement(text);
  if (!read) return [];
  const { marker, ...requirement } = read;
  const condition = marker.replaceAll(
    /(\bextra\s*==\s*)(["'])([^"']*)\2/g,
    (_, before: string, quote: string, extra: string) => `${before}${quote}${normalizeName(extra)}${quote}`,
  );
  if (condition === "" || evaluateMarker(condition, "")) return [requirement];
  const extras = new Set([...condition.matchAll(/\bextra\s*==\s*["']([^"']+)["']/g)].map(([, extra = ""]) => extra));
  return [...extras].flatMap((extra) => (evaluateMarker(condition, extra) ? [{ ...requirement, for: extra }] : []));
}
