import { randomUUID } from "node:crypto";
import type { LockedPackages } from "./locked-packages.ts";

/**
 * What a release contains, as CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/).
 * @param places keys of package-lock.json
 */
export function billOfMaterials(version: string, locked: LockedPackages, places: readonly string[]): object {
  const components = places.map((place) => {
    const found = locked[place]!;
    const name = nameOf(place);
    const purl = `pkg:npm/${name.replace("@", "%40")}@${found.version}`;
    return {
      type: "library",
      "bom-ref": `${purl}#${place}`,
      name,
      version: found.version,
      purl,
      ...(found.license === undefined ? {} : { licenses: [licenseOf(found.license)] }),
      ...(found.integrity === undefined ? {} : { hashes: [hashOf(found.integrity)] }),
    };
  });
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${randomUUID()}`,
    version: 1,
    metadata: { timestamp: new Date().toISOString(), component: { type: "application", name: "parley", version } },
    components,
  };
}

/** Of a package that is in place at `node_modules/a/node_modules/b`: `b`. */
function nameOf(place: string): string {
  return place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);
}

function licenseOf(license: string): object {
  return /^[\w.+-]+$/.test(license) ? { license: { id: license } } : { expression: license };
}

/** npm writes `sha512-` and base64 (Subresource Integrity), CycloneDX hex. */
function hashOf(integrity: string): object {
  const [algorithm = "", value = ""] = integrity.split("-");
  return { alg: algorithm.replace("sha", "SHA-"), content: Buffer.from(value, "base64").toString("hex") };
}
