import type { ImportedFile, ImportedRecord, OpenFile, Reader, Reading, Row, Translated } from "../row-source.ts";
import type { ExportManifest } from "./manifest.ts";

/** The field of a row that is no record: why it is none. `at` says where it is. */
export const brokenLine = "$broken";

/** What `--only` names, and which kinds of records that are. */
const parts: readonly { name: string; kinds: readonly string[] }[] = [
  { name: "organizations", kinds: ["organization"] },
  { name: "people", kinds: ["person"] },
  { name: "groups", kinds: ["group"] },
  { name: "keys", kinds: ["api_key"] },
  { name: "plugins", kinds: ["function", "tool", "user_valves"] },
  { name: "files", kinds: ["file"] },
  { name: "knowledge", kinds: ["knowledge", "knowledge_directory", "knowledge_file"] },
  { name: "models", kinds: ["model"] },
  { name: "prompts", kinds: ["prompt"] },
  { name: "config", kinds: ["connection", "setting"] },
  { name: "folders", kinds: ["folder"] },
  { name: "chats", kinds: ["chat", "chat_share"] },
  { name: "ratings", kinds: ["feedback"] },
  { name: "memories", kinds: ["memory"] },
  { name: "channels", kinds: ["channel", "channel_webhook", "channel_message", "channel_reading"] },
];

/** What the copy of one person may bring: nothing that is about others, or about the service. */
const ofPerson: ReadonlySet<string> = new Set([
  "person",
  "function",
  "tool",
  "file",
  "knowledge",
  "knowledge_directory",
  "knowledge_file",
  "model",
  "prompt",
  "folder",
  "chat",
  "chat_share",
  "feedback",
  "memory",
]);

/** Kinds of lines that a file has besides its own. */
const alsoIn: Readonly<Record<string, string>> = { chat: "chat_messages" };

/** Readers of an export of this product. Its records are those that the import takes: only what is not to be believed is changed. */
export function parleyReaders(manifest: ExportManifest): Reader[] {
  const known = new Set(manifest.kinds.map(({ kind }) => kind));
  return parts.flatMap(({ name, kinds }) => {
    const tables = kinds.filter((kind) => known.has(kind));
    if (tables.length === 0) return [];
    return [
      {
        name,
        tables,
        async *read({ source, uploads }: Reading) {
          for (const kind of tables)
            for await (const row of source.rows(kind)) yield await translate(row, kind, { manifest, uploads });
        },
      },
    ];
  });
}

interface Place {
  manifest: ExportManifest;
  uploads: Reading["uploads"];
}

async function translate(row: Row, table: string, { manifest, uploads }: Place): Promise<Translated> {
  const { [brokenLine]: broken, kind, id } = row;
  if (typeof broken === "string") return leftOut(table, String(row["at"]), broken);
  if (typeof id !== "string" || id === "" || id.length > 300) return leftOut(table, "?", "It has no id");
  if (kind !== table && kind !== alsoIn[table]) return leftOut(table, id, `It is no ${table.replaceAll("_", " ")}`);
  const isPersonal = manifest.scope === "person";
  if (isPersonal && !ofPerson.has(table)) return leftOut(table, id, "A person's own data has none of these");
  if (table === "file") return fileOf(row, id, uploads);
  const record = row as ImportedRecord;
  return isPersonal ? personal(record) : { record };
}

/** Rights and running code come from those who import, not from what somebody brings. */
function personal(record: ImportedRecord): Translated {
  if (record.kind === "person") {
    const {
      password: _hash,
      oauth: _oauth,
      scim: _scim,
      organization_id: _home,
      organization_role: _role,
      ...rest
    } = record;
    return { record: { ...rest, role: "user", active: true } };
  }
  if (record.kind === "function") return { record: { ...record, is_active: false, is_global: false } };
  if (record.kind === "model" && !record["base_model_id"])
    return leftOut("model", record.id, "Settings of a provider's model aren't one person's");
  return { record };
}

const maxMetaLength = 2000;

async function fileOf(row: Row, id: string, uploads: Reading["uploads"]): Promise<Translated> {
  const { person_id: personId, name, content_type: contentType, created_at: createdAt, meta } = row;
  if (typeof personId !== "string" || personId === "") return leftOut("file", id, "It has no owner");
  const path = typeof row["path"] === "string" ? row["path"] : `files/${id}`;
  const found = await uploads.open(path);
  if (!found) return leftOut("file", id, "Its bytes are not in the export");
  const problem = await problemOf(found, row);
  if (problem !== undefined) return leftOut("file", id, problem);
  const kept = typeof meta === "object" && meta !== null ? JSON.stringify(meta) : "{}";
  const isKept = kept.length <= maxMetaLength;
  const file: ImportedFile = {
    id,
    person_id: personId,
    name: (typeof name === "string" && name !== "" ? name : "file").slice(0, 500),
    ...(typeof contentType === "string" ? { content_type: contentType.slice(0, 200) } : {}),
    ...(Number.isSafeInteger(createdAt) && (createdAt as number) >= 0 ? { created_at: createdAt as number } : {}),
    ...(kept === "{}" || !isKept ? {} : { meta: kept }),
    ...(isKept ? {} : { note: "What programs had kept with it was left out: it was too much" }),
  };
  return { file, open: () => uploads.open(path) };
}

/** Whether the bytes are those that were exported. */
async function problemOf(found: OpenFile, { size, sha256 }: Row): Promise<string | undefined> {
  const changed = "Its bytes aren't those that were exported";
  if ("cancel" in found.body) await found.body.cancel();
  if (typeof size === "number" && size !== found.size) return changed;
  if (!found.sha256 || typeof sha256 !== "string") return undefined;
  return (await found.sha256()) === sha256 ? undefined : changed;
}

function leftOut(kind: string, id: string, reason: string): Translated {
  return { leftOut: { kind, id, reason } };
}
