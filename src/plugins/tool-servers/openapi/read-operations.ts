import { isRecord } from "../../../lib/json.ts";
import type { Listing, ServerFunction } from "../tool-server-state.ts";
import { baseUrlOf } from "./api-base-url.ts";
import { createDereferencer, type Dereferencer } from "./dereference.ts";
import { readOperation } from "./read-operation.ts";
import { toolName } from "./tool-name.ts";

const methods = ["get", "put", "post", "delete", "patch"] as const;
const maxFunctions = 1000;

/**
 * One function for each operation of the document, in its order. Operations that cannot be called are left out with a
 * warning; nothing in a document makes the rest of it unusable.
 * @param entered the server's address
 * @param documentUrl where the document was found
 */
export function readOperations(document: Record<string, unknown>, entered: string, documentUrl: URL): Listing {
  const refs = createDereferencer(document);
  const taken = new Set<string>();
  const functions: ServerFunction[] = [];
  const paths = isRecord(document["paths"]) ? document["paths"] : {};
  for (const [path, given] of Object.entries(paths)) {
    const item = path.startsWith("/") ? refs.resolve(given) : undefined;
    if (!item) continue;
    for (const method of methods) {
      const operation = refs.resolve(item[method]);
      if (!operation) continue;
      if (functions.length === maxFunctions) {
        refs.warnings.add(`Only the first ${maxFunctions} functions are used`);
        return listing(document, functions, refs);
      }
      refs.startOperation();
      const name = nameOf(operation, method, path, taken);
      const baseUrl = baseUrlOf(entered, documentUrl, operation["servers"], item["servers"], document["servers"]);
      functions.push(readOperation(refs, { name, method, path, baseUrl, operation, shared: item["parameters"] }));
    }
  }
  return listing(document, functions, refs);
}

function listing(document: Record<string, unknown>, functions: ServerFunction[], refs: Dereferencer): Listing {
  const info = isRecord(document["info"]) ? document["info"] : {};
  const name = typeof info["title"] === "string" ? info["title"].trim().slice(0, 200) : "";
  return { name, functions, warnings: [...refs.warnings].slice(0, 20) };
}

function nameOf(operation: Record<string, unknown>, method: string, path: string, taken: Set<string>): string {
  const { operationId } = operation;
  return toolName(typeof operationId === "string" && operationId.trim() ? operationId : `${method}${path}`, taken);
}
