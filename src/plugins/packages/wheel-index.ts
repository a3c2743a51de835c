import * as z from "zod";
import { evaluateMarker } from "./environment-marker.ts";

/** What a wheel offers and needs, found out once, when it is uploaded: plugins are matched with it without opening it. */
export const wheelIndex = z.object({
  /** Importable names, the shortest that nothing else can share: `bs4`; `google.genai` of the namespace `google`. */
  modules: z.array(z.string()),
  requires: z.array(
    z.object({
      /** Normalized (PEP 503). */
      name: z.string(),
      /** Optional parts of that package. */
      extras: z.array(z.string()).optional(),
      /** Needed only for this optional part of the wheel. */
      for: z.string().optional(),
    }),
  ),
});
export type WheelIndex = z.infer<typeof wheelIndex>;

const maxModules = 500;
const maxRequirements = 500;

/** Normalizes a name: case and separators do not matter (PEP 503). */
export function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, "-");
}

/**
 * @param paths of the files in the wheel
 * @param metadata text of its METADATA (core metadata)
 */
export function indexWheel(paths: Iterable<string>, metadata: string): WheelIndex {
  return { modules: findModules(paths), requires: findRequirements(metadata) };
}

function findModules(paths: Iterable<string>): string[] {
  const files = [...paths]
    .map((path) => path.replace(/^[^/]+\.data\/(?:pure|plat)lib\//, ""))
    .filter((path) => /\.(?:py|so)$/.test(path) && !/^[^/]+\.(?:dist-info|data)\//.test(path));
  const packages = new Set(
    files
      .filter((path) => /(?:^|\/)__init__\.(?:py|[\w.-]*so)$/.test(path))
      .map((path) => path.replace(/\/[^/]*$/, "")),
  );
  const modules = new Set<string>();
  for (const path of files) {
    const parts = path.replace(/\.(?:py|[\w.-]*so)$/, "").split("/");
    const folders = parts.slice(0, -1);
    const depth = folders.findIndex((_, index) => packages.has(folders.slice(0, index + 1).join("/")));
    const name = (depth < 0 ? parts : parts.slice(0, depth + 1)).join(".");
    if (/^[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*$/u.test(name)) modules.add(name);
    if (modules.size === maxModules) break;
  }
  return [...modules].sort();
}

/** Those that apply to what plugins run on, whatever optional part they are for. */
function findRequirements(metadata: string): WheelIndex["requires"] {
  const [head = ""] = metadata.split(/\r?\n\r?\n/);
  const requires: WheelIndex["requires"] = [];
  for (const [, text = ""] of head.matchAll(/^Requires-Dist:[ \t]*(.+)$/gim)) {
    const [requirement = "", ...marker] = text.split(";");
    const [, name, extras] = /^([A-Za-z0-9][\w.-]*)\s*(?:\[([^\]]*)\])?/.exec(requirement.trim()) ?? [];
    if (name === undefined) continue;
    const condition = marker.join(";").trim();
    const parts = [...condition.matchAll(/\bextra\s*==\s*["']([^"']+)["']/g)].map(([, extra = ""]) => extra);
    const base = {
      name: normalizeName(name),
      ...(extras?.trim() ? { extras: extras.split(",").map((extra) => normalizeName(extra.trim())) } : {}),
    };
    if (condition === "" || evaluateMarker(condition, "")) requires.push(base);
    else
      for (const extra of parts)
        if (evaluateMarker(condition, extra)) requires.push({ ...base, for: normalizeName(extra) });
    if (requires.length >= maxRequirements) break;
  }
  return requires;
}
