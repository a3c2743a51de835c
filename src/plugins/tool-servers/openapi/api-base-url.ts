import { isRecord } from "../../../lib/json.ts";

/**
 * Where an operation is called: by the first of `servers` (its own, its path's, the document's) that stands on the origin
 * which was entered, and else at the address that was entered. A document leads calls to no other host: neither the key nor
 * what people write was meant for it, and documents often name the machine that they were made on.
 * @param documentUrl what relative addresses stand on (OpenAPI 3.1, 4.8.5)
 * @returns without a trailing slash
 */
export function baseUrlOf(entered: string, documentUrl: URL, ...servers: unknown[]): string {
  const { origin } = new URL(entered);
  for (const list of servers) {
    if (!Array.isArray(list)) continue;
    for (const server of list.slice(0, 50)) {
      const text = isRecord(server) ? fillVariables(server) : undefined;
      if (text === undefined || !URL.canParse(text, documentUrl)) continue;
      const url = new URL(text, documentUrl);
      // A lone "/" says nothing, and is what many frameworks write whatever stands in front of them.
      if (url.origin === origin && !(url.pathname === "/" && !/^[a-z]+:/i.test(text))) return trimmed(url);
    }
  }
  return trimmed(new URL(entered));
}

function trimmed(url: URL): string {
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

function fillVariables(server: Record<string, unknown>): string | undefined {
  const { url, variables } = server;
  if (typeof url !== "string" || url.length > 2000) return undefined;
  return url.replace(/\{([^{}]{1,100})\}/g, (all, name: string) => {
    const variable = isRecord(variables) && Object.hasOwn(variables, name) ? variables[name] : undefined;
    const value = isRecord(variable) ? variable["default"] : undefined;
    return typeof value === "string" || typeof value === "number" ? String(value) : all;
  });
}
