import * as z from "zod";
import { AppError } from "../../../errors.ts";
import { isRecord } from "../../../lib/json.ts";
import { isVersion, runsHere } from "../python-version.ts";
import { normalizeName } from "../wheel-index.ts";
import { readWheelName } from "../wheel-name.ts";

/** A wheel that a registry offers. */
export interface OfferedWheel {
  filename: string;
  url: string;
  /** Of the file, hexadecimal. */
  sha256: string;
  /** Bytes; null where the registry does not say. */
  size: number | null;
  /** Its METADATA can be fetched alone: with this hash, or `true` without one. */
  metadata: string | true | null;
}

/** A version of a package, with the wheel of it that plugins run. */
export interface Release {
  /** Normalized (PEP 503). */
  name: string;
  version: string;
  /** Host of the registry. */
  registry: string;
  wheel: OfferedWheel;
}

/** What a registry has of a package. */
export interface Project {
  releases: Release[];
  /** Versions that were left out because no wheel of theirs runs here. */
  unusable: number;
}

const maxFiles = 50_000;

const sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/i)
  .transform((text) => text.toLowerCase());
/** Of PyPI's simple API in JSON (PEP 691 and 700): what is not read here is left out. */
const file = z.object({
  filename: z.string().max(300),
  url: z.string().max(4000),
  hashes: z.object({ sha256 }),
  size: z.number().int().positive().nullish(),
  "requires-python": z.string().max(500).nullish(),
  yanked: z.union([z.boolean(), z.string()]).nullish(),
  "core-metadata": z.union([z.boolean(), z.object({ sha256: sha256.optional() })]).nullish(),
  "dist-info-metadata": z.union([z.boolean(), z.object({ sha256: sha256.optional() })]).nullish(),
});

/**
 * Reads the page of a project. Files that are no wheels, that have no SHA-256, that were withdrawn ("yanked"), that are named for
 * another project or that lead from https to http do not count.
 * @param address of the page, against which addresses of files are resolved
 * @param registry base address of the registry, which may have redirected to the page
 * @throws AppError `upstream_invalid_answer` for a page that is none, or is of another project
 */
export function readProjectPage(name: string, address: string, registry: string, page: unknown): Project {
  const { host, protocol } = new URL(registry);
  const wrong = (message: string) => new AppError("upstream_invalid_answer", `${host}: ${message}`);
  if (!isRecord(page) || !isRecord(page["meta"]) || !/^1\.\d+$/.test(String(page["meta"]["api-version"])))
    throw wrong("its answer is not the JSON of a Python package registry (PEP 691)");
  if (normalizeName(String(page["name"])) !== name) throw wrong(`it answered with another package than ${name}`);
  const files = Array.isArray(page["files"]) ? page["files"].slice(0, maxFiles) : [];
  const best = new Map<string, { release: Release; isPure: boolean }>();
  const versions = new Set<string>();
  for (const each of files) {
    const { data } = file.safeParse(each);
    if (!data || data.yanked === true || typeof data.yanked === "string") continue;
    const named = readWheelName(data.filename);
    const version = named?.version.replaceAll("_", "-") ?? "";
    if (!named || normalizeName(named.name) !== name || !isVersion(version)) continue;
    versions.add(version);
    const url = addressOf(data.url, address, protocol === "http:");
    if (!url || !named.runsHere || !runsHere(data["requires-python"] ?? null)) continue;
    const said = data["core-metadata"] ?? data["dist-info-metadata"];
    const wheel = {
      filename: data.filename,
      url,
      sha256: data.hashes.sha256,
      size: data.size ?? null,
      metadata: isRecord(said) ? ((said["sha256"] as string | undefined) ?? true) : said || null,
    };
    // What is not compiled is smaller, and loads faster.
    if (best.get(version)?.isPure) continue;
    best.set(version, { release: { name, version, registry: host, wheel }, isPure: named.isPure });
  }
  return { releases: [...best.values()].map(({ release }) => release), unusable: versions.size - best.size };
}

function addressOf(url: string, page: string, isPlain: boolean): string | undefined {
  if (!URL.canParse(url, page)) return undefined;
  const address = new URL(url, page);
  address.hash = "";
  if (address.protocol !== "https:" && !(isPlain && address.protocol === "http:")) return undefined;
  return address.username || address.password ? undefined : address.href;
}
