import { isRecord } from "../../lib/json.ts";

/** Ids of files and knowledge bases that messages and chats name. */
export interface NamedIds {
  files: Set<string>;
  bases: Set<string>;
}

const fileAddress = /\/files\/([\w-]{1,100})/g;
const maxIds = 5000;

/** The ids that a chat document names beside its texts and in addresses in them. */
export function namedIds(document: unknown): NamedIds {
  const found: NamedIds = { files: new Set(), bases: new Set() };
  const walk = (value: unknown, depth: number): void => {
    if (found.files.size + found.bases.size > maxIds || depth > 50) return;
    if (typeof value === "string") {
      if (value.includes("/files/")) for (const match of value.matchAll(fileAddress)) found.files.add(match[1]!);
    } else if (Array.isArray(value)) for (const each of value as unknown[]) walk(each, depth + 1);
    else if (isRecord(value)) {
      const { type, id, url } = value;
      if (type === "file" || type === "image") for (const each of [id, url]) if (isId(each)) found.files.add(each);
      if (type === "collection" && isId(id)) found.bases.add(id);
      if (isId(value["file_id"])) found.files.add(value["file_id"]);
      for (const each of Object.values(value)) walk(each, depth + 1);
    }
  };
  walk(document, 0);
  return found;
}

const isId = (value: unknown): value is string => typeof value === "string" && /^[\w-]{1,100}$/.test(value);

/** The value with other ids: where a text is one of them, or has the address of such a file. */
export function withIds<T>(value: T, renamed: ReadonlyMap<string, string>): T {
  if (renamed.size === 0) return value;
  const change = (each: unknown): unknown => {
    if (typeof each === "string")
      return (
        renamed.get(each) ??
        each.replaceAll(fileAddress, (address, id: string) => {
          const other = renamed.get(id);
          return other === undefined ? address : `/files/${other}`;
        })
      );
    if (Array.isArray(each)) return (each as unknown[]).map(change);
    if (isRecord(each)) return Object.fromEntries(Object.entries(each).map(([key, one]) => [key, change(one)]));
    return each;
  };
  return change(value) as T;
}
