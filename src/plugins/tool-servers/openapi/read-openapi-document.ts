import { parseDocument, visit } from "yaml";
import { isRecord } from "../../../lib/json.ts";
import { utf8Text } from "../../../lib/utf8.ts";
import { ServerFailure } from "../server-failure.ts";

/** Maximum size of a document, in bytes. */
export const maxDocumentBytes = 4_000_000;
/** YAML takes many times as long to read as JSON. */
const maxYamlLength = 500_000;
/** Each alias is looked for among all that stands before it. */
const maxAliasSteps = 1_000_000;

/**
 * An OpenAPI document, JSON or YAML, of version 3.
 * @throws ServerFailure with what it is instead
 */
export function readOpenapiDocument(bytes: Uint8Array, host: string): Record<string, unknown> {
  const text = utf8Text(bytes);
  const document = parseText(text, host);
  if (!isRecord(document))
    throw new ServerFailure("answer", `${host} returned ${whatIs(text)} instead of an OpenAPI document`);
  const { openapi, swagger, paths } = document;
  if (swagger !== undefined)
    throw new ServerFailure("answer", `${host} uses Swagger ${String(swagger)}: OpenAPI 3 is required`);
  if (typeof openapi !== "string" || !/^3\.\d/.test(openapi))
    throw new ServerFailure("answer", `${host} did not return an OpenAPI 3 document: check the path`);
  if (paths !== undefined && !isRecord(paths))
    throw new ServerFailure("answer", `The OpenAPI document of ${host} is invalid: paths is not an object`);
  return document;
}

function parseText(text: string, host: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Perhaps YAML, which JSON begins differently from.
  }
  if (/^\s*[<{[]/.test(text))
    throw new ServerFailure("answer", `${host} returned ${whatIs(text)} instead of an OpenAPI document`);
  if (text.length > maxYamlLength)
    throw new ServerFailure(
      "answer",
      `The YAML document of ${host} is larger than ${maxYamlLength / 1_000_000} MB: use JSON`,
    );
  try {
    return readYaml(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0]!.slice(0, 200) : "";
    throw new ServerFailure("answer", `The document of ${host} is neither JSON nor YAML: ${reason}`);
  }
}

/** @throws Error that says what is wrong */
function readYaml(text: string): unknown {
  // Whether keys are unique is found out by comparing each with each.
  const options = { prettyErrors: false, logLevel: "error", schema: "core", merge: true, uniqueKeys: false } as const;
  const document = parseDocument(text, options);
  const [error] = document.errors;
  if (error) throw error;
  let nodes = 0;
  let aliases = 0;
  visit(document, { Node: () => void nodes++, Alias: () => void aliases++ });
  if (nodes * aliases > maxAliasSteps) throw new Error("it has too many aliases");
  return document.toJS({ maxAliasCount: 200 });
}

function whatIs(text: string): string {
  if (/^\s*</.test(text)) return "a web page";
  return text.trim() === "" ? "nothing" : "something else";
}
