import { isObject } from "../read-values.ts";

export const exportFormat = "parley-export";
/** Goes up when a reader of before would misunderstand what is written. */
export const exportVersion = 1;
export const manifestName = "manifest.json";

/** A file with the records of one kind, one in each line. */
export interface KindEntry {
  kind: string;
  /** Its name in the folder. */
  file: string;
  records: number;
  bytes: number;
  sha256: string;
}

/** What an export says of itself: `manifest.json`. */
export interface ExportManifest {
  format: typeof exportFormat;
  version: number;
  /** The same in every export of one service, or of one person. */
  source: string;
  scope: "service" | "person";
  secrets: boolean;
  /** Epoch seconds. */
  created_at: number;
  /** Whether everything is there. */
  complete: boolean;
  /** In the order in which they are imported. */
  kinds: KindEntry[];
  /** What stayed at the source, and why. */
  left_out: { what: string; count: number; reason: string }[];
}

const fileName = /^[a-z_]{1,40}\.jsonl$/;

/**
 * Reads a manifest that somebody may have changed.
 * @returns the reason if it is none that can be read here
 */
export function readManifest(text: string): { manifest: ExportManifest } | { reason: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { reason: "its manifest.json is not JSON" };
  }
  if (!isObject(value) || value["format"] !== exportFormat)
    return { reason: "its manifest.json is not that of an export" };
  const { version, source, scope, secrets, created_at: createdAt, complete, kinds, left_out: left } = value;
  if (version !== exportVersion)
    return { reason: `it has the format ${String(version)}, and this is for ${exportVersion}` };
  if (typeof source !== "string" || !source.startsWith("parley:") || source.length > 200)
    return { reason: "its manifest.json does not say which service it is of" };
  const entries = Array.isArray(kinds) ? (kinds as unknown[]).map(readEntry) : [];
  const isListed = entries.length > 0 && entries.length <= 100 && !entries.includes(undefined);
  if (complete === true && !isListed) return { reason: "its manifest.json does not list the kinds of records" };
  return {
    manifest: {
      format: exportFormat,
      version,
      source,
      scope: scope === "person" ? "person" : "service",
      secrets: secrets === true,
      created_at: typeof createdAt === "number" ? createdAt : 0,
      complete: complete === true,
      kinds: isListed ? (entries as KindEntry[]) : [],
      left_out: Array.isArray(left) ? (left as ExportManifest["left_out"]) : [],
    },
  };
}

function readEntry(value: unknown): KindEntry | undefined {
  if (!isObject(value)) return undefined;
  const { kind, file, records, bytes, sha256 } = value;
  const isCount = (number: unknown) => Number.isSafeInteger(number) && (number as number) >= 0;
  const isSound =
    typeof kind === "string" && file === `${kind}.jsonl` && fileName.test(file) && isCount(records) && isCount(bytes);
  return isSound && typeof sha256 === "string"
    ? { kind, file, records: records as number, bytes: bytes as number, sha256 }
    : undefined;
}
