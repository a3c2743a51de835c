import { cleanObject } from "../clean-value.ts";
import { fitObject } from "../fit-message.ts";
import { isObject, objectOf, textOf } from "../read-values.ts";
import type { Reader, Row, Translated } from "../row-source.ts";
import { hasTable } from "../rows-in-order.ts";
import { textsIn } from "./common-fields.ts";
import { timesOf } from "./knowledge.ts";

/** What the service takes: characters of texts, and bytes of JSON. */
const max = { model: 600, reason: 200, comment: 4000, tag: 100, beside: 6000 };
const maxSiblings = 50;
const maxTags = 20;

/** What people have said about answers. */
export const feedbackReader: Reader = {
  name: "ratings",
  tables: ["feedback"],
  // The service looks for the answer of each.
  maxRecords: 50,
  async *read({ source }) {
    if (!(await hasTable(source, "feedback"))) return;
    for await (const row of source.rows("feedback")) {
      const id = textOf(row, "id");
      if (id !== undefined) yield translate(row, id);
    }
  },
};

function translate(row: Row, id: string): Translated {
  const leftOut = (reason: string): Translated => ({ leftOut: { kind: "feedback", id, reason } });
  const personId = textOf(row, "user_id");
  if (personId === undefined) return leftOut("It has no owner");
  const given = cleanObject(objectOf(row, "data") ?? {});
  const notes: string[] = [];
  const data = dataOf(given, notes);
  if (!["rating", "reason", "comment", "details"].some((key) => data[key] !== undefined))
    return leftOut("It says nothing about an answer");
  const { chat_id: chatId, message_id: messageId, share_chat: _, ...meta } = cleanObject(objectOf(row, "meta") ?? {});
  if (objectOf(row, "snapshot"))
    notes.push("The copy of the conversation was left out: people share it themselves here");
  return {
    record: {
      kind: "feedback",
      id,
      person_id: personId,
      type: (textOf(row, "type") ?? "rating").slice(0, 40),
      data,
      meta: fitObject(meta, max.beside),
      chat_id: idIn(chatId, 300),
      message_id: idIn(messageId, 100),
      notes,
      ...timesOf(row),
    },
  };
}

function dataOf(given: Record<string, unknown>, notes: string[]): Record<string, unknown> {
  const { rating, model_id: model, sibling_model_ids: siblings, reason, comment, tags, details, ...rest } = given;
  const kept = fitObject(rest, max.beside);
  const said = textIn(comment);
  if (said !== undefined && said.length > max.comment) notes.push("Its comment was too long: it was cut");
  const known = ratingOf(rating);
  if (known === undefined && rating !== undefined && rating !== null)
    notes.push("Whether it is good or bad cannot be read");
  const fields = {
    rating: known,
    model_id: idIn(model, max.model) ?? undefined,
    sibling_model_ids: listOf(
      textsIn(siblings).filter((each) => each.length <= max.model),
      maxSiblings,
    ),
    reason: textIn(reason)?.slice(0, max.reason),
    comment: said?.slice(0, max.comment),
    tags: listOf(
      textsIn(tags).map((tag) => tag.slice(0, max.tag)),
      maxTags,
    ),
    details: detailsOf(details),
  };
  return { ...kept, ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) };
}

/** Older versions have texts. */
function ratingOf(value: unknown): 1 | -1 | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return number === 1 || number === -1 ? number : undefined;
}

/** The number from 1 to 10 beside a rating. */
function detailsOf(value: unknown): { rating: number } | undefined {
  const rating = isObject(value) ? Number(value["rating"] ?? Number.NaN) : Number.NaN;
  return rating >= 1 && rating <= 10 ? { rating } : undefined;
}

const textIn = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;

const listOf = (values: string[], most: number): string[] | undefined =>
  values.length === 0 ? undefined : values.slice(0, most);

const idIn = (value: unknown, most: number): string | null =>
  typeof value === "string" && value !== "" && value.length <= most ? value : null;
