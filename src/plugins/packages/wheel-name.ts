/** What the name of a wheel says (binary distribution format). */
export interface WheelName {
  /** As it is written. */
  name: string;
  version: string;
  /** Of Python, ABI and platform, as they stand there. */
  tags: string;
  /** Whether plugins can run it. */
  runsHere: boolean;
  /** Made for every platform: nothing in it is compiled. */
  isPure: boolean;
}

/** @returns undefined for what is not named like a wheel */
export function readWheelName(filename: string): WheelName | undefined {
  const parts = /^([A-Za-z0-9._]+)-([A-Za-z0-9._!+]+)(?:-\d[A-Za-z0-9._]*)?-([^-]+)-([^-]+)-([^-]+)\.whl$/.exec(
    filename,
  );
  if (!parts) return undefined;
  const [, name = "", version = "", pythons = "", abis = "", platforms = ""] = parts;
  return {
    name,
    version,
    tags: `${pythons}-${abis}-${platforms}`,
    runsHere: isCompatible(pythons.split("."), abis.split("."), platforms.split(".")),
    isPure: platforms.split(".").includes("any"),
  };
}

/** Whether one of the tags (PEP 425) is of what plugins run on. */
function isCompatible(pythons: string[], abis: string[], platforms: string[]): boolean {
  const runs = platforms.some((tag) => tag === "any" || /^(pyemscripten|pyodide)_2026_0_wasm32$/.test(tag));
  const minor = (tag: string) => Number(/^(?:cp|py)3(\d+)$/.exec(tag)?.[1] ?? Number.NaN);
  const speaks = pythons.some((tag) => {
    if (tag === "py3" || tag === "cp314" || tag === "py314") return true;
    // What was made for an earlier version is for this one too, unless it is bound to that one's insides.
    return minor(tag) < 14 && (tag.startsWith("py") || abis.includes("abi3"));
  });
  return runs && speaks && abis.some((tag) => tag === "none" || tag === "abi3" || tag === "cp314");
}
