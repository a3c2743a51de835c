import { isRecord } from "../../../lib/json.ts";

/**
 * The base address of an operation: the first of `servers` (its own, its path's, the document's) on the entered origin,
 * otherwise the entered address. A document cannot send calls to another host: keys and inputs are not meant for it,
 * and documents often name the machine on which they were generated.
 * @param documentUrl base of relative addresses (OpenAPI 3.1, 4.8.5)
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
