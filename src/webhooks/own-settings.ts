import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { isRecord } from "../lib/json.ts";
import { getOwnDocument, updateOwnDocument } from "../people/users/own-documents.ts";
import type { Document } from "../people/users/schema.ts";
import { checkWebhookUrl } from "./check-webhook-url.ts";
import { changeEndpoint, getEndpoint } from "./endpoints.ts";
import { mayHaveWebhook } from "./may-have-webhook.ts";

/**
 * The caller's settings, with the address of their webhook where clients of the peer look for it
 * (`ui.notifications.webhook_url`). It is kept in the endpoint only; whoever may have none does not see it.
 */
async function getOwnSettings(ctx: Context): Promise<Document> {
  const document = await getOwnDocument(ctx, "settings", { ui: {} });
  return withUrl(document, mayHaveWebhook(ctx) ? (await getEndpoint(ctx, "own")).url : "");
}

/**
 * Replaces the named keys of the caller's settings. An address in `ui.notifications.webhook_url` becomes that of their webhook,
 * an empty one takes it away, and without one it stays: clients save all of `ui` for any of it. Of whoever may have none it is
 * left out, as at the peer.
 * @throws AppError `bad_request` for an address that may not be called, with nothing changed; `payload_too_large`
 */
async function updateOwnSettings(ctx: Context, change: Document): Promise<Document> {
  const isAllowed = mayHaveWebhook(ctx);
  const wanted = isAllowed ? wantedUrl(ctx, change) : undefined;
  const document = await updateOwnDocument(ctx, "settings", withUrl(change, ""));
  if (!isAllowed) return withUrl(document, "");
  let { url } = await getEndpoint(ctx, "own");
  if (wanted !== undefined && wanted !== url) ({ url } = await changeEndpoint(ctx, "own", { url: wanted }));
  return withUrl(document, url);
}

/** The caller's settings as their routes need them. */
export const ownSettings = { get: getOwnSettings, update: updateOwnSettings };

/** Undefined where the change says nothing of it. */
function wantedUrl(ctx: Context, { ui }: Document): string | undefined {
  const said = isRecord(ui) && isRecord(ui["notifications"]) ? ui["notifications"]["webhook_url"] : undefined;
  if (said === undefined) return undefined;
  if (said === null || said === "") return "";
  try {
    if (typeof said === "string") return checkWebhookUrl(ctx, said);
  } catch (error) {
    throw refused((error as Error).message);
  }
  throw refused("The address of a webhook must be a string");
}

function refused(message: string): AppError {
  return new AppError("bad_request", message, { param: "ui.notifications.webhook_url" });
}

/** The document with this address in its place; without one where it is empty. */
function withUrl(document: Document, url: string): Document {
  const { ui } = document;
  const notifications = isRecord(ui) ? ui["notifications"] : undefined;
  if (url === "") {
    if (!isRecord(ui) || !isRecord(notifications) || !("webhook_url" in notifications)) return document;
    const { webhook_url: _, ...rest } = notifications;
    return { ...document, ui: { ...ui, notifications: rest } };
  }
  // What clients keep there instead of an object is theirs.
  if ((ui !== undefined && !isRecord(ui)) || (notifications !== undefined && !isRecord(notifications))) return document;
  return { ...document, ui: { ...ui, notifications: { ...notifications, webhook_url: url } } };
}
