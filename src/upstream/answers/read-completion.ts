import { isRecord, tryParseJson } from "../../lib/json.ts";
import type { Chunk } from "../chunks/chunk-shape.ts";
import { describePage, holdsError, looksLikePage, upstreamErrorFromBody } from "../errors/read-upstream-error.ts";
import { emptyAnswer, invalidAnswer, oversizedAnswer } from "../errors/upstream-error.ts";
import type { AnswerForm } from "./sniff-answer.ts";

export interface DocumentSource {
  form: AnswerForm;
  headers?: Headers | undefined;
  secrets?: readonly string[] | undefined;
}

/**
 * Reads the whole body of a successful answer. Throws an UpstreamError for everything else: an error object, `null`, a
 * web page, plain text, a document without a choice.
 * @param ended whether the text is the whole body
 * @returns the completion, or the text of a body with several documents on separate lines
 */
export function answerFromText(
  text: string,
  ended: boolean,
  source: DocumentSource,
): { kind: "completion"; completion: Chunk } | { kind: "lines"; text: string } {
  const { headers, secrets, form } = source;
  if (!ended) throw oversizedAnswer();
  if (text.trim() === "") throw emptyAnswer();
  if (form === "page" || looksLikePage(text)) throw invalidAnswer(describePage(text));
  const value = tryParseJson(text);
  if (value === undefined) {
    const [firstLine = ""] = text.trim().split("\n", 1);
    if (isRecord(tryParseJson(firstLine))) return { kind: "lines", text };
    throw invalidAnswer(form === "document" ? "damaged JSON" : "text that is not JSON");
  }
  if (value === null) throw emptyAnswer();
  const body: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (!isRecord(body)) throw invalidAnswer("JSON that is not a completion");
  if (holdsError(body)) throw upstreamErrorFromBody(body, { status: 200, headers, secrets });
  const { choices } = body;
  const found = Array.isArray(choices) ? choices.filter(isRecord) : [];
  const failed = found.find((choice) => holdsError({ error: choice["error"] }));
  if (failed) throw upstreamErrorFromBody({ error: failed["error"] }, { status: 200, headers, secrets });
  if (found.length === 0) throw emptyAnswer();
  return { kind: "completion", completion: body };
}
