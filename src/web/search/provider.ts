import type { SettingName } from "../../compose/settings.ts";

/**
 * How a provider is asked, as data. Texts may have `{query}`, `{count}`, `{key}` and `{SETTING}` in them.
 */
export interface SearchProvider {
  name: string;
  method: "GET" | "POST";
  address: string;
  /** Settings without which it cannot be asked; the one with the key is among them if it needs one. */
  requires: readonly SettingName[];
  /** The setting with its key. */
  key?: SettingName;
  /** Parameters of the address. */
  query: Readonly<Record<string, string>>;
  headers: Readonly<Record<string, string>>;
  /** Its JSON body; a value that is `{count}` alone becomes a number. */
  body?: Readonly<Record<string, string>>;
  /** It refuses to give more at once. */
  maxCount: number;
  fields: ResultFields;
}

/** Where things are in an answer, as names with dots between; an empty path is the value itself. */
export interface ResultFields {
  results: string;
  url: string;
  title: string;
  snippet: string;
}

/** A page that was found. */
export interface SearchResult {
  url: string;
  title: string;
  snippet: string;
}
