import { isObject } from "../read-values.ts";
import { makeTool, readAnswerText, readSeconds, type AnswerText, type ToolCall } from "./answer-text.ts";

/**
 * An answer by its text and by the list `output`, in which newer versions keep what the model has written: thoughts, calls of tools and
 * texts. The text is what people see; the list says more of the calls.
 * @param time when it was written, epoch seconds
 */
export function readAnswer(content: string, output: unknown, time: number): AnswerText {
  const answer = readAnswerText(content, time);
  const items: unknown[] = Array.isArray(output) ? output : [];
  const list = readItems(items.filter(isObject), answer.text, time);
  if (answer.text === "") answer.text = list.text;
  if (answer.reasoning === "") answer.reasoning = list.reasoning;
  answer.reasoningSeconds ||= list.reasoningSeconds;
  const known = new Map(answer.tools.map((tool) => [tool.call_id, tool]));
  if (list.tools.length >= answer.tools.length && list.tools.length > 0)
    answer.tools = list.tools.map((tool) => ({ ...tool, at: known.get(tool.call_id)?.at ?? tool.at }));
  return answer;
}

function readItems(items: readonly Record<string, unknown>[], text: string, time: number) {
  const results = new Map(
    items.flatMap((item) =>
      item["type"] === "function_call_output" ? [[item["call_id"], textsOf(item["output"])]] : [],
    ),
  );
  const said: string[] = [];
  const thoughts: string[] = [];
  const tools: ToolCall[] = [];
  let reasoningSeconds = 0;
  let at = 0;
  let round = 0;
  let wasCall = false;
  for (const item of items) {
    const { type } = item;
    if (type === "message") {
      const part = textsOf(item["content"]).trim();
      const place = part === "" ? -1 : text.indexOf(part, at);
      if (place >= 0) at = place + part.length;
      else if (text === "" && part !== "") at = [...said, part].join("\n\n").length;
      if (part !== "") said.push(part);
    } else if (type === "reasoning") {
      thoughts.push(textsOf(item["content"]).trim() || textsOf(item["summary"]).trim());
      reasoningSeconds += readSeconds(item["duration"]);
    }
    const call = callOf(item, results);
    if (call) {
      if (!wasCall) round += 1;
      tools.push(makeTool({ ...call, id: call.id || `call-${tools.length + 1}`, at, round: round - 1, time }));
    }
    // Calls one after the other were made together.
    if (type !== "function_call_output") wasCall = call !== undefined;
  }
  const reasoning = thoughts.filter((thought) => thought !== "").join("\n\n");
  return { text: said.join("\n\n"), reasoning, reasoningSeconds, tools };
}

function callOf(item: Record<string, unknown>, results: ReadonlyMap<unknown, string>) {
  const { type } = item;
  const id = typeof item["call_id"] === "string" ? item["call_id"] : "";
  if (type === "function_call") {
    const name = typeof item["name"] === "string" && item["name"] !== "" ? item["name"] : "tool";
    return { id, name, args: jsonText(item["arguments"]), result: results.get(item["call_id"]) };
  }
  if (type !== "open_webui:code_interpreter") return undefined;
  const { id: own, code, lang, output } = item;
  const args = JSON.stringify({ code, ...(lang === undefined ? {} : { lang }) });
  return { id: typeof own === "string" ? own : id, name: "code_interpreter", args, result: jsonText(output) };
}

function jsonText(value: unknown): string {
  return typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);
}

/** The text of a list of parts, or the text itself. */
function textsOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return jsonText(value);
  const texts = (value as unknown[]).map((part) => (isObject(part) ? part["text"] : part));
  return texts.filter((text) => typeof text === "string").join("\n");
}
