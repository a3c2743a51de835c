import { textAt } from "../json-fields.ts";
import type { JsonRecord } from "../sender-post.ts";

/** `octo-org/octo-repo`. */
export function repositoryOf(body: JsonRecord): string | undefined {
  return textAt(body, "repository", "full_name");
}

/** Who did it. */
export function authorOf(body: JsonRecord): { name: string; url?: string } | undefined {
  const name = textAt(body, "sender", "login");
  const url = textAt(body, "sender", "html_url");
  return name === undefined ? undefined : { name, ...(url === undefined ? {} : { url }) };
}
