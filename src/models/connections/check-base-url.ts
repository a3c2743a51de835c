import { refused } from "../../http/check-headers.ts";
import { normalizeBaseUrl } from "./base-url.ts";
import type { ConnectionKind } from "./schema.ts";

/** @throws AppError `validation_failed` for anything except an http(s) address. */
export function checkedBaseUrl(kind: ConnectionKind, text: string): string {
  const url = normalizeBaseUrl(kind, text);
  if (url === undefined)
    throw refused([
      {
        path: "base_url",
        message: "An address looks like https://models.example.org/v1, without keys and passwords",
      },
    ]);
  return url;
}
