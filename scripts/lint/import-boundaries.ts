import { findOrderBreach, targetOf } from "./slice-order.ts";

/**
 * Says why `file` may not import `specifier`, or undefined when it may. The rules are those of ARCHITECTURE.md: imports go
 * workers -> slices -> floor, slices import values in their written order, the UI sees only wire shapes and src/shared, and
 * only workers/ knows the runtime.
 * @param file relative to the project, with forward slashes
 * @param specifier as the import has it
 * @param isType whether only types are imported
 */
export function findBoundaryBreach(file: string, specifier: string, isType = false): string | undefined {
  const target = targetOf(file, specifier);
  if (specifier.startsWith("cloudflare:") && !file.startsWith("workers/") && !file.startsWith("test/runtime/")) {
    return `"${specifier}" may be imported in workers/ only, which alone knows the runtime`;
  }
  if (!file.startsWith("src/")) return undefined;
  if (target?.startsWith("workers/") || target?.startsWith("scripts/") || target?.startsWith("test/")) {
    return `src/ may not import ${target}`;
  }
  if (file.startsWith("src/ui/")) return findUiBreach(target);
  if (target?.startsWith("src/ui/")) return "only the UI imports the UI";
  if (file.startsWith("src/shared/") && specifier !== "zod" && !target?.startsWith("src/shared/")) {
    return "src/shared imports zod and src/shared only, so that the UI may import it";
  }
  if (isFloor(file) && target !== undefined && !isFloor(target) && !isBesideFloor(target)) {
    return `the floor may not import ${target}: imports go workers -> slices -> floor`;
  }
  if (file.endsWith("/schema.ts") && specifier !== "zod" && !isSharedWithUi(target)) {
    return "a schema.ts imports zod, src/shared and other schema.ts files only, so that the UI may import it";
  }
  if (file.endsWith("/routes.ts") && (specifier.startsWith("drizzle-orm") || specifier.startsWith("@libsql/"))) {
    return "routes translate, verbs decide: no database in routes.ts";
  }
  return target === undefined || isType ? undefined : findOrderBreach(file, target);
}

function findUiBreach(target: string | undefined): string | undefined {
  if (target === undefined || target.startsWith("src/ui/") || isSharedWithUi(target)) return undefined;
  return `the UI sees only schema.ts files and src/shared, not ${target}`;
}

function isSharedWithUi(target: string | undefined): boolean {
  return target !== undefined && (target.endsWith("/schema.ts") || target.startsWith("src/shared/"));
}

function isFloor(file: string): boolean {
  return /^src\/(?:lib|shared|db|http)\//.test(file);
}

/** Context, ports, errors and the like, which lie in src/ itself. app.ts stands above the slices. */
function isBesideFloor(file: string): boolean {
  return /^src\/[^/]+\.ts$/.test(file) && file !== "src/app.ts";
}
