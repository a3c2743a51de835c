import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { assertPublic, isListedHost } from "../http/guarded-fetch.ts";
import { maxUrlLength } from "./schema.ts";

/**
 * The address as it will be called, if it may be. A name that leads to a private place is found out when it is called.
 * @throws AppError `validation_failed` that names `url`
 */
export function checkWebhookUrl(ctx: Pick<Context, "environment">, text: string): string {
  const trimmed = text.trim();
  if (!URL.canParse(trimmed)) throw wrong("Not a valid address: it must start with https:// and contain a host");
  const url = new URL(trimmed);
  if (url.href.length > maxUrlLength) throw wrong(`An address can have at most ${maxUrlLength} characters`);
  if (url.protocol !== "https:" && url.protocol !== "http:") throw wrong("Only http and https addresses can be called");
  if (url.username !== "" || url.password !== "")
    throw wrong("An address cannot contain a user name or password: put a secret into its path or query");
  url.hash = "";
  try {
    if (!isListedHost(url, ctx.environment.OUTBOUND_ALLOWED_PRIVATE_HOSTS ?? [])) assertPublic(url);
  } catch (error) {
    throw wrong((error as Error).message);
  }
  return url.href;
}

function wrong(message: string): AppError {
  return new AppError("validation_failed", message, { issues: [{ path: "url", message }], param: "url" });
}
