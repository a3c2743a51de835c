import { isObject } from "../read-values.ts";

/** An answer as it is stored here: what Open WebUI writes into its text has fields of its own. */
export interface AnswerText {
  text: string;
  reasoning: string;
  /** How long it took, seconds; 0 where nothing says so. */
  reasoningSeconds: number;
  /** Calls of tools, in order. */
  tools: ToolCall[];
  files: Record<string, unknown>[];
}

/** As in src/chat/tools/tool-item.ts. */
export interface ToolCall extends Record<string, unknown> {
  call_id: string;
  name: string;
  title: string;
  source: null;
  arguments: string;
  state: "done" | "error";
  result?: string;
  error?: string;
  at: number;
  round: number;
  started_at: number;
}

const entities: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
  "&#39;": "'",
  "&amp;": "&",
};
const unescape = (text: string) => text.replaceAll(/&(?:lt|gt|quot|#x27|#39|amp);/g, (entity) => entities[entity]!);

/**
 * Takes reasoning and calls of tools out of the text of an answer: Open WebUI writes them as `<details type="…">`. Everything else stays.
 * @param time when it was written, epoch seconds
 */
export function readAnswerText(content: string, time: number): AnswerText {
  const answer: AnswerText = { text: "", reasoning: "", reasoningSeconds: 0, tools: [], files: [] };
  const thoughts: string[] = [];
  const add = (piece: string) => (answer.text += answer.text === "" ? piece.trimStart() : piece);
  let from = 0;
  for (
    let open = content.indexOf("<details");
    open >= 0;
    open = content.indexOf("<details", Math.max(from, open + 1))
  ) {
    const inner = content.indexOf(">", open);
    if (inner < 0) break;
    const attributes = readAttributes(content.slice(open, inner));
    const type = attributes.get("type");
    if (type !== "reasoning" && type !== "tool_calls" && type !== "code_interpreter") continue;
    const close = content.indexOf("</details>", inner);
    if (close < 0) break;
    add(content.slice(from, open));
    const body = withoutSummary(content.slice(inner + 1, close));
    if (type === "reasoning") {
      thoughts.push(unquote(unescape(body)));
      answer.reasoningSeconds += readSeconds(attributes.get("duration"));
    } else if (type === "tool_calls") {
      answer.tools.push(toolOf(attributes, { at: answer.text.length, round: answer.tools.length, time }));
      answer.files.push(...filesOf(attributes.get("files")));
    } else add(codeOf(body, attributes.get("output")));
    from = close + "</details>".length;
  }
  add(content.slice(from));
  answer.text = from === 0 ? content : answer.text.trimEnd();
  answer.reasoning = thoughts.filter((thought) => thought !== "").join("\n\n");
  for (const tool of answer.tools) tool.at = Math.min(tool.at, answer.text.length);
  return answer;
}

/** A number of seconds, at most a day; 0 for anything else. */
export function readSeconds(value: unknown): number {
  const seconds = typeof value === "string" ? Number(value) : value;
  return typeof seconds === "number" && seconds > 0 && seconds <= 86_400 ? seconds : 0;
}

function readAttributes(tag: string): Map<string, string> {
  return new Map([...tag.matchAll(/\s([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name!, unescape(value!)]));
}

function withoutSummary(body: string): string {
  const end = body.indexOf("</summary>");
  return (body.trimStart().startsWith("<summary") && end >= 0 ? body.slice(end + "</summary>".length) : body).trim();
}

/** Its lines are quoted. */
function unquote(text: string): string {
  const lines = text.split("\n");
  return lines
    .map((line) => line.replace(/^> ?/, ""))
    .join("\n")
    .trim();
}

function toolOf(
  attributes: Map<string, string>,
  { at, round, time }: { at: number; round: number; time: number },
): ToolCall {
  const name = attributes.get("name") ?? "tool";
  return makeTool({
    id: attributes.get("id") || `call-${round + 1}`,
    name,
    args: attributes.get("arguments") ?? "",
    result: attributes.get("done") === "false" ? undefined : (attributes.get("result") ?? ""),
    at,
    round,
    time,
  });
}

interface Call {
  id: string;
  name: string;
  args: string;
  /** Undefined for a call that was interrupted. */
  result: string | undefined;
  at: number;
  round: number;
  time: number;
}

/** A call as it is stored; JSON that is a text is that text. */
export function makeTool({ id, name, args, result, at, round, time }: Call): ToolCall {
  const base = {
    call_id: id,
    name,
    title: name,
    source: null,
    arguments: plain(args) || "{}",
    at,
    round,
    started_at: time,
  };
  return result === undefined
    ? { ...base, state: "error", error: "The call was interrupted" }
    : { ...base, state: "done", result: plain(result), ended_at: time };
}

function plain(text: string): string {
  const value = parse(text);
  return typeof value === "string" ? value : text;
}

function filesOf(json: string | undefined): Record<string, unknown>[] {
  const files = json ? parse(json) : undefined;
  if (!Array.isArray(files)) return [];
  return (files as unknown[]).flatMap((file) => {
    if (isObject(file)) return [file];
    return typeof file === "string" && file.startsWith("data:image/") ? [{ type: "image", url: file }] : [];
  });
}

/** Code that ran, with what it printed: people open it to see that. */
function codeOf(body: string, output: string | undefined): string {
  const printed = output ? printedBy(parse(output) ?? output) : "";
  const fence = printed.includes("```") ? "````" : "```";
  const shown = printed === "" ? "" : `\n\n${fence}\n${printed}\n${fence}`;
  return `<details>\n<summary>Code</summary>\n\n${body}${shown}\n\n</details>`;
}

function printedBy(output: unknown): string {
  if (typeof output === "string") return output.trim();
  if (!isObject(output)) return JSON.stringify(output);
  const texts = ["stdout", "stderr", "result"].map((key) => output[key]);
  return texts
    .filter((text) => typeof text === "string" && text.trim() !== "")
    .join("\n")
    .trim();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
