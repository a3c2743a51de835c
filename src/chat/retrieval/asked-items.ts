import { isRecord, textsIn } from "../../lib/json.ts";

/** A file or collection to search for an answer. */
export interface AskedDocument {
  type: "file" | "collection";
  id: string;
  /** The name that the attaching person sees. */
  name: string | undefined;
  /** The whole text is wanted, not only matching passages. */
  isWhole: boolean;
  /** The original entry. */
  given: Record<string, unknown>;
}

/** Text inside the request itself. */
export interface AskedText {
  id: string | undefined;
  name: string;
  content: string;
  given: Record<string, unknown>;
}

/** An entry that cannot be searched. */
export interface AskedOther {
  type: string;
  id: string | undefined;
  name: string;
}

/** The entries of `files` in a request, without duplicates. */
export interface AskedItems {
  documents: AskedDocument[];
  texts: AskedText[];
  others: AskedOther[];
}

type Entry = Record<string, unknown>;

/** The name of Open WebUI's collections that contain a single file. */
const fileCollection = /^file-(.+)$/s;
const maxIdLength = 200;
const maxNameLength = 300;

/**
 * Reads `files` of a request or a message: `{type: "file" | "collection" | "text"}` with the additional fields of Open
 * WebUI's clients. Pictures are left out: the model sees them in the messages. Of duplicates the last one counts.
 */
export function readAskedItems(given: unknown): AskedItems {
  const documents = new Map<string, AskedDocument>();
  const items: AskedItems = { documents: [], texts: [], others: [] };
  for (const entry of Array.isArray(given) ? given.filter(isRecord) : []) {
    if (isPicture(entry)) continue;
    const type = typeof entry["type"] === "string" ? entry["type"] : "";
    const named = documentsOf(type, entry);
    if (named.length > 0) for (const one of named) documents.set(`${one.type}/${one.id}`, one);
    else if (type === "text" && contentOf(entry) !== undefined) addText(items.texts, entry);
    else items.others.push({ type, id: textOf(entry["id"]), name: nameOf(entry) ?? (type || "An attachment") });
  }
  items.documents = [...documents.values()];
  return items;
}

/** Whether `files` of a request contains anything besides pictures. */
export function hasItems(given: unknown): boolean {
  return Array.isArray(given) && given.some((entry) => isRecord(entry) && !isPicture(entry));
}

function isPicture(entry: Entry): boolean {
  return entry["type"] === "image";
}

function documentsOf(type: string, entry: Entry): AskedDocument[] {
  const common = { name: nameOf(entry), isWhole: entry["context"] === "full", given: entry };
  const collections = [entry["collection_name"], ...textsIn(entry["collection_names"])].filter(isId);
  if (type === "file" || type === "doc") {
    const file = isRecord(entry["file"]) ? entry["file"]["id"] : undefined;
    const named = collections.flatMap((name) => fileCollection.exec(name)?.[1] ?? []);
    const id = [entry["id"], file, ...named].find(isId);
    return id === undefined ? [] : [{ type: "file", id, ...common }];
  }
  if (type !== "collection" && type !== "") return [];
  const named = collections.map((name): AskedDocument => {
    const file = fileCollection.exec(name)?.[1];
    return file === undefined ? { type: "collection", id: name, ...common } : { type: "file", id: file, ...common };
  });
  // A collection of the peer's that stands for several others names them beside an id of its own.
  if (named.length > 0) return named;
  if (!isId(entry["id"])) return [];
  return [{ type: type === "collection" ? "collection" : "file", id: entry["id"], ...common }];
}

function addText(texts: AskedText[], entry: Entry): void {
  const content = contentOf(entry)!;
  if (content.trim() === "" || texts.some((text) => text.content === content)) return;
  texts.push({ id: textOf(entry["id"]), name: nameOf(entry) ?? "Text", content, given: entry });
}

function contentOf(entry: Entry): string | undefined {
  if (typeof entry["content"] === "string") return entry["content"];
  const data = isRecord(entry["file"]) ? entry["file"]["data"] : undefined;
  return isRecord(data) && typeof data["content"] === "string" ? data["content"] : undefined;
}

function nameOf(entry: Entry): string | undefined {
  const file = isRecord(entry["file"]) ? entry["file"] : {};
  const found = [entry["name"], entry["title"], file["filename"], file["name"], entry["url"]].find(
    (name) => typeof name === "string" && name.trim() !== "",
  );
  return typeof found === "string" ? found.trim().slice(0, maxNameLength) : undefined;
}

function textOf(value: unknown): string | undefined {
  return isId(value) ? value : undefined;
}

function isId(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= maxIdLength;
}
