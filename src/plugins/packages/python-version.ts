import { compare, explain, filter, satisfies, validRange } from "@renovatebot/pep440";

/** The version of Python that plugins run on. */
const pythonVersion = "3.14.2";
const maxLength = 100;

/** Whether it is a version (version specifiers of PyPA, formerly PEP 440). */
export function isVersion(text: string): boolean {
  return text.length <= maxLength && explain(text) !== null;
}

/** Whether both are the same: `1.0` and `1.0.0` are. False for what is no version. */
export function isSameVersion(a: string, b: string): boolean {
  return isVersion(a) && isVersion(b) && compare(a, b) === 0;
}

/** Versions that all specifiers allow, the newest first; those before a release only where there is no other. */
export function allowedVersions(versions: readonly string[], specifiers: readonly string[]): string[] {
  return filter([...versions], joined(specifiers)).sort((a, b) => compare(b, a));
}

/** Whether the version may be used; also one before a release, for it is there already. */
export function isAllowed(version: string, specifiers: readonly string[]): boolean {
  const specifier = joined(specifiers);
  return specifier === "" || satisfies(version, specifier, { prereleases: true });
}

/** Whether `Requires-Python` allows what plugins run on. True for what cannot be read, as pip does it. */
export function runsHere(requiresPython: string | null): boolean {
  return requiresPython === null || isAllowed(pythonVersion, [requiresPython]);
}

/** What cannot be read says nothing; `>=2.*`, which was allowed once, is read as it was meant. */
function joined(specifiers: readonly string[]): string {
  return specifiers
    .flatMap((specifier) => specifier.split(","))
    .map((part) => part.trim().replace(/^([<>]=?|~=)\s*(.*?)\.\*$/, "$1$2"))
    .filter((part) => part !== "" && part.length <= maxLength + 3 && validRange(part))
    .join(",");
}
