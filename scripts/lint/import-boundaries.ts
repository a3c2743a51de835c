import path from "node:path";

/** Why `file` may not import `specifier`, or undefined if it may. */
export function findBoundaryBreach(file: string, specifier: string): string | undefined {
  const target = specifier.startsWith(".") ? path.posix.join(path.posix.dirname(file), specifier) : undefined;
  if (specifier.startsWith("cloudflare:") && !file.startsWith("workers/") && !file.startsWith("test/runtime/")) {
    return `"${specifier}" may be imported in workers/ only, which alone knows the runtime`;
  }
  if (!file.startsWith("src/")) return undefined;
  if (target?.startsWith("workers/") || target?.startsWith("scripts/") || target?.startsWith("test/")) {
    return `src/ may not import ${target}`;
  }
  if (file.startsWith("src/ui/")) return findUiBreach(target);
  if (target?.startsWith("src/ui/")) return "only the UI may import the UI";
  if (isFloor(file) && target !== undefined && !isFloor(target) && !isBesideFloor(target)) {
    return `the floor may not import ${target}: imports go workers -> slices -> floor`;
  }
  const isSchema = file.endsWith("/schema.ts");
  if (isSchema && specifier !== "zod" && !(target?.endsWith("schema.ts") || target === "src/shared/live-protocol.ts")) {
    return "a schema.ts imports zod and other schema.ts files only, so that the UI may import it";
  }
  if (file.endsWith("/routes.ts") && (specifier.startsWith("drizzle-orm") || specifier.startsWith("@libsql/"))) {
    return "routes translate, verbs decide: no database in routes.ts";
  }
  return undefined;
}

function findUiBreach(target: string | undefined): string | undefined {
  if (target === undefined || target.startsWith("src/ui/")) return undefined;
  if (target.endsWith("/schema.ts") || target === "src/shared/live-protocol.ts") return undefined;
  return `the UI sees only schema.ts files and src/shared/live-protocol.ts, not ${target}`;
}

function isFloor(file: string): boolean {
  return /^src\/(?:lib|db|http)\//.test(file);
}

/** Context, ports, errors and the like, which lie in src/ itself. app.ts stands above the slices. */
function isBesideFloor(file: string): boolean {
  return /^src\/[^/]+\.ts$/.test(file) && file !== "src/app.ts";
}
