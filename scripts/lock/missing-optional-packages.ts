interface LockedPackage {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  optionalDependencies?: Record<string, string>;
}

/** The `packages` part of package-lock.json, by place ("node_modules/a/node_modules/b"; "" is the project). */
export type LockedPackages = Record<string, LockedPackage>;

const systems = new Set([
  "darwin",
  "linux",
  "win32",
  "freebsd",
  "netbsd",
  "openbsd",
  "openharmony",
  "sunos",
  "aix",
  "android",
]);
const processors = new Set([
  "arm64",
  "x64",
  "ia32",
  "arm",
  "ppc64",
  "s390x",
  "riscv64",
  "loong64",
  "mips64el",
  "wasm32",
]);
const otherNames: Record<string, string> = {
  windows: "win32",
  "64": "x64",
  aarch64: "arm64",
  x86_64: "x64",
  eabi: "arm",
};

/** Entries for optional dependencies of locked packages that are missing from the lock file. */
export function missingOptionalPackages(packages: LockedPackages): LockedPackages {
  const missing: LockedPackages = {};
  for (const [place, locked] of Object.entries(packages)) {
    for (const [name, range] of Object.entries(locked.optionalDependencies ?? {})) {
      if (isLocked(packages, place, name)) continue;
      const version = /\d+\.\d+\.\d+\S*/.exec(range)?.[0];
      if (version === undefined) continue;
      missing[`node_modules/${name}`] = {
        version,
        ...platformOf(name),
        ...(locked.dev ? { dev: true } : {}),
        optional: true,
      };
    }
  }
  return missing;
}

/** Whether Node would find `name` from the package at `place`: in its own node_modules or in those above it. */
function isLocked(packages: LockedPackages, place: string, name: string): boolean {
  for (let from = place; ; from = from.slice(0, Math.max(0, from.lastIndexOf("/node_modules/")))) {
    if (packages[`${from === "" ? "" : `${from}/`}node_modules/${name}`] !== undefined) return true;
    if (from === "") return false;
    if (!from.includes("/node_modules/")) from = "";
  }
}

/** What the name says it is for. One that says nothing is marked as being for no system at all, and so never fetched. */
function platformOf(name: string): Pick<LockedPackage, "os" | "cpu"> {
  const words = (name.split("/").at(-1) ?? name).split(/[-.]/).map((word) => otherNames[word] ?? word);
  const os = words.find((word) => systems.has(word));
  const cpu = words.find((word) => processors.has(word));
  return { os: [os ?? "none"], ...(cpu === undefined ? {} : { cpu: [cpu] }) };
}
