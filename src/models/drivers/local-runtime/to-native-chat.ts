import { isRecord, tryParseJson } from "../../../lib/json.ts";

type Fields = Record<string, unknown>;

/** Options that chat completions have fields for: the runtime reads those on its `/v1` paths as well. */
const commonOptions = new Set([
  "temperature",
  "top_p",
  "seed",
  "stop",
  "num_predict",
  "presence_penalty",
  "frequency_penalty",
]);
/** Fields of the runtime's own call that chat completions do not have. */
const nativeFields = ["keep_alive", "think", "truncate", "shift"];
/** Fields that only the `/v1` paths support. */
const completionsOnly = ["n", "logprobs", "top_logprobs", "logit_bias", "audio", "modalities"];

/**
 * The request for the runtime's own `/api/chat` (https://docs.ollama.com/api/chat), if it uses options that are
 * supported only there: `num_ctx`, `top_k`, `keep_alive`, `think` and so on. Undefined for all others, and for requests
 * that it cannot express.
 * @param body a chat-completions body, with its parameters also in `options`
 */
export function toNativeChat(body: Fields, model: string): Fields | undefined {
  const options = isRecord(body["options"]) ? body["options"] : {};
  const native = nativeFields.filter((name) => body[name] !== undefined && body[name] !== null);
  if (native.length === 0 && Object.keys(options).every((name) => commonOptions.has(name))) return undefined;
  if (completionsOnly.some((name) => isUsed(body[name]))) return undefined;
  const messages = nativeMessages(body["messages"]);
  if (!messages) return undefined;
  const format = formatOf(body["response_format"]);
  const effort = body["reasoning_effort"];
  return {
    model,
    messages,
    // Its own default is a stream.
    stream: body["stream"] === true,
    options,
    ...(Array.isArray(body["tools"]) && body["tool_choice"] !== "none" ? { tools: body["tools"] } : {}),
    ...(format === undefined ? {} : { format }),
    ...(typeof effort === "string" ? { think: effort === "none" ? false : effort } : {}),
    ...Object.fromEntries(native.map((name) => [name, body[name]])),
  };
}

function isUsed(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== 1 && value !== 0;
}

function formatOf(wanted: unknown): unknown {
  if (!isRecord(wanted)) return undefined;
  if (wanted["type"] === "json_object") return "json";
  const { json_schema: named } = wanted;
  return wanted["type"] === "json_schema" && isRecord(named) ? named["schema"] : undefined;
}

/** Undefined if a message has a part that is not supported. */
function nativeMessages(given: unknown): Fields[] | undefined {
  if (!Array.isArray(given)) return undefined;
  const toolNames = new Map<unknown, unknown>();
  const messages: Fields[] = [];
  for (const message of given) {
    const said = isRecord(message) ? contentOf(message["content"]) : undefined;
    if (!isRecord(message) || !said) return undefined;
    const { role, tool_calls: calls, tool_call_id: callId, reasoning_content: thinking } = message;
    const called = Array.isArray(calls) ? calls.filter(isRecord).map(nativeCall) : [];
    if (Array.isArray(calls)) for (const call of calls.filter(isRecord)) toolNames.set(call["id"], nameOf(call));
    messages.push({
      role: role === "developer" ? "system" : role,
      ...said,
      ...(typeof thinking === "string" && thinking !== "" ? { thinking } : {}),
      ...(called.length > 0 ? { tool_calls: called } : {}),
      ...(role === "tool" && toolNames.has(callId) ? { tool_name: toolNames.get(callId) } : {}),
    });
  }
  return messages;
}

function contentOf(content: unknown): { content: string; images?: string[] } | undefined {
  if (content === undefined || content === null) return { content: "" };
  if (typeof content === "string") return { content };
  if (!Array.isArray(content)) return undefined;
  const texts: string[] = [];
  const images: string[] = [];
  for (const part of content) {
    if (typeof part === "string") texts.push(part);
    else if (isRecord(part) && part["type"] === "text" && typeof part["text"] === "string") texts.push(part["text"]);
    else {
      const bytes = imageOf(part);
      if (bytes === undefined) return undefined;
      images.push(bytes);
    }
  }
  return { content: texts.join("\n"), ...(images.length > 0 ? { images } : {}) };
}

/** The base64 of a picture in a data URL; undefined for anything else. */
function imageOf(part: unknown): string | undefined {
  const image = isRecord(part) && part["type"] === "image_url" ? part["image_url"] : undefined;
  const url = isRecord(image) ? image["url"] : image;
  if (typeof url !== "string" || !url.startsWith("data:image/")) return undefined;
  const at = url.indexOf(";base64,");
  return at === -1 || at > 100 ? undefined : url.slice(at + ";base64,".length);
}

function nativeCall(call: Fields): Fields {
  const called = call["function"];
  const args = isRecord(called) ? called["arguments"] : undefined;
  const parsed = typeof args === "string" ? tryParseJson(args) : args;
  return { function: { name: nameOf(call), arguments: isRecord(parsed) ? parsed : {} } };
}

function nameOf(call: Fields): unknown {
  return isRecord(call["function"]) ? call["function"]["name"] : undefined;
}
