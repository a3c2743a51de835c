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
  if (!URL.canParse(trimmed)) throw wrong("This is no address: it begins with https:// and names a host");
  const url = new URL(trimmed);
  if (url.href.length > maxUrlLength) throw wrong(`An address has ${maxUrlLength} characters at most`);
  if (url.protocol !== "https:" && url.protocol !== "http:") throw wrong("Only http and https addresses can be called");
  if (url.username !== "" || url.password !== "")
    throw wrong("An address with a user name or a password cannot be called: put a secret into its path or query");
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
