import type { ZipPackage } from "../zip/zip-package.ts";
import { readXml } from "./read-xml.ts";

/** A reference from a part of an Office document. */
export interface Relation {
  /** The last word of its type, such as "hyperlink" or "notesSlide". */
  type: string;
  /** The path in the package, or the address where it is outside of it. */
  target: string;
  isExternal: boolean;
}

const maxRelations = 50_000;

/** @param part the part with the relations, such as "ppt/slides/slide1.xml" */
export function readRelations(parts: ZipPackage, part: string): Map<string, Relation> {
  const slash = part.lastIndexOf("/");
  const folder = part.slice(0, slash + 1);
  const relations = new Map<string, Relation>();
  const reading = readXml(parts.open(`${folder}_rels/${part.slice(slash + 1)}.rels`), {
    open(name, attributes) {
      if (name !== "Relationship" || relations.size >= maxRelations) return;
      const target = attributes.get("Target") ?? "";
      const isExternal = attributes.get("TargetMode") === "External";
      relations.set(attributes.get("Id") ?? "", {
        type: (attributes.get("Type") ?? "").split("/").at(-1)!,
        target: isExternal ? target : resolvePath(folder, target),
        isExternal,
      });
    },
    close: () => undefined,
    text: () => undefined,
  });
  for (const _ of reading);
  return relations;
}

/** Resolves a path relative to `folder`. Never leaves the package. */
export function resolvePath(folder: string, path: string): string {
  const steps: string[] = [];
  for (const step of (path.startsWith("/") ? path : folder + path).split("/")) {
    if (step === "..") steps.pop();
    else if (step !== "" && step !== ".") steps.push(step);
  }
  return steps.join("/");
}
