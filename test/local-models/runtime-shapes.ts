import { isRecord } from "../../src/lib/json.ts";

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === "string";
const flag: Check = (value) => typeof value === "boolean";
const object: Check = isRecord;
const texts: Check = (value) => Array.isArray(value) && value.every(text);
const either =
  (...checks: Check[]): Check =>
  (value) =>
    checks.some((check) => check(value));
const number: Check = (value) => typeof value === "number";
const base64: Check = (value) =>
  Array.isArray(value) && value.every((each) => typeof each === "string" && /^[A-Za-z0-9+/]+={0,2}$/.test(each));
const messages: Check = (value) =>
  Array.isArray(value) &&
  value.every(
    (each) =>
      isRecord(each) &&
      text(each["role"]) &&
      (each["content"] === undefined || text(each["content"])) &&
      (each["images"] === undefined || base64(each["images"])),
  );
const parts: Check = (value) =>
  Array.isArray(value) && value.every((each) => isRecord(each) && text(each["role"]) && "content" in each);

const common = { model: text, name: text, stream: flag, options: object, keep_alive: either(number, text) };

/** Types of the fields that the runtime reads; it passes over what it does not know, as its language does. */
const shapes: Record<string, Record<string, Check>> = {
  "/api/generate": {
    ...common,
    prompt: text,
    system: text,
    images: base64,
    raw: flag,
    suffix: text,
    think: either(flag, text),
  },
  "/api/chat": { ...common, messages, tools: Array.isArray, think: either(flag, text), format: either(text, object) },
  "/api/embed": { ...common, input: either(text, texts), truncate: flag, dimensions: number },
  "/api/embeddings": { ...common, prompt: text },
  "/api/show": { ...common, verbose: flag },
  "/api/pull": { ...common, insecure: flag },
  "/api/push": { ...common, insecure: flag },
  "/api/create": { ...common, from: text, files: object, system: text, parameters: object, template: text },
  "/api/copy": { source: text, destination: text },
  "/api/delete": common,
  "/v1/chat/completions": { model: text, messages: parts, stream: flag, stream_options: object },
  "/v1/embeddings": { model: text, input: either(text, texts) },
  "/v1/responses": { model: text, input: either(text, Array.isArray), stream: flag },
  "/v1/messages": { model: text, messages: parts, max_tokens: number, stream: flag },
};

/** What the runtime says of a body whose fields have wrong types; undefined where it can be read. */
export function checkBody(path: string, body: Record<string, unknown>): string | undefined {
  for (const [name, check] of Object.entries(shapes[path] ?? {})) {
    const value = body[name];
    // Its language takes null for nothing.
    if (value !== undefined && value !== null && !check(value))
      return `json: cannot unmarshal ${Array.isArray(value) ? "array" : typeof value} into Go struct field .${name}`;
  }
  return undefined;
}
