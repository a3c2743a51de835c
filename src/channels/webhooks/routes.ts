import type { Context as HonoContext } from "hono";
import * as z from "zod";
import { inBase } from "../../http/base-path.ts";
import { smallBody } from "../../http/body.ts";
import { json, jsonBody } from "../../http/json-route.ts";
import { type AppEnvironment, contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { requireChannels } from "../find-channel.ts";
import { postKey } from "../messages/schema.ts";
import { createWebhook } from "./create-webhook.ts";
import { deleteWebhook } from "./delete-webhook.ts";
import { postByWebhook, type WebhookAddress } from "./post-by-webhook.ts";
import { readGithubPost, readPost, readSlackPost } from "./read-post.ts";
import { listRequests } from "./request-log.ts";
import { inboundPost, newWebhook, posted, webhookChange, webhookRequest, webhookView } from "./schema.ts";
import { updateWebhook } from "./update-webhook.ts";
import { getWebhookImage } from "./webhook-image.ts";
import { listWebhooks, rotateToken } from "./webhooks.ts";

const base = "/api/v1/channels";
const ofChannel = `${base}/{id}/webhooks`;
const id = z.string().min(1).max(200);
const params = z.object({ id });
const oneParams = z.object({ id, webhook_id: id });
const answer = <S extends z.ZodType>(description: string, schema: S) => ({
  200: { description, ...json(schema) },
  403: { description: "Channels are switched off, or the caller does not manage this channel" },
  404: { description: "No such channel or webhook, or no access to it" },
});
const theWebhook = answer("The webhook with its address; times are epoch milliseconds", webhookView);

const list = defineRoute({
  method: "get",
  path: ofChannel,
  requires: requireChannels,
  summary: "Webhooks of a channel with their addresses (its managers, system administrators)",
  request: { params },
  responses: answer("Oldest first; times are epoch milliseconds", z.array(webhookView)),
});
const create = defineRoute({
  method: "post",
  path: `${ofChannel}/create`,
  requires: requireChannels,
  summary: "Create a webhook that posts into the channel (its managers, system administrators)",
  request: { params, ...jsonBody(newWebhook) },
  responses: theWebhook,
});
const update = defineRoute({
  method: "post",
  path: `${ofChannel}/{webhook_id}/update`,
  requires: requireChannels,
  summary: "Change name and picture for new posts; the address stays the same (managers, system administrators)",
  request: { params: oneParams, ...jsonBody(webhookChange) },
  responses: theWebhook,
});
const rotate = defineRoute({
  method: "post",
  path: `${ofChannel}/{webhook_id}/rotate`,
  requires: requireChannels,
  summary: "Create a new address; the current one stops working immediately (managers, system administrators)",
  request: { params: oneParams },
  responses: theWebhook,
});
const remove = defineRoute({
  method: "delete",
  path: `${ofChannel}/{webhook_id}/delete`,
  requires: requireChannels,
  summary: "Delete a webhook: its address stops working immediately, its posts stay (managers, system administrators)",
  request: { params: oneParams },
  responses: answer("Deleted", z.literal(true)),
});
const image = defineRoute({
  method: "get",
  path: `${base}/webhooks/{webhook_id}/profile/image`,
  requires: requireChannels,
  summary: "A webhook's picture, current or as it was for earlier posts: the image, a redirect to it, or initials",
  request: { params: z.object({ webhook_id: id }), query: z.object({ face: id.optional() }) },
  responses: {
    200: { description: "The picture", content: { "image/*": { schema: z.string() } } },
    302: { description: "Redirect to the picture" },
    404: { description: "No such webhook, or the caller can neither read nor manage its channel" },
  },
});

const requests = defineRoute({
  method: "get",
  path: `${ofChannel}/{webhook_id}/requests`,
  requires: requireChannels,
  summary: "The latest ten requests to a webhook's address, and what came of them (managers, system administrators)",
  request: { params: oneParams },
  responses: answer("Newest first; times are epoch milliseconds", z.array(webhookRequest)),
});

/** What holds for all addresses that post. */
const posting = {
  method: "post",
  // The token in the path is the credential: the verb looks at it.
  access: "public",
  readsBody: true,
  // Far more than one post holds: monitors and GitHub send much that is not shown.
  maxBody: smallBody,
  security: [] as Record<string, string[]>[],
} as const;
const address = z.object({ id, token: z.string().max(200) });
const keyed = { "idempotency-key": postKey.optional() };
const refusals = {
  401: { description: "No such webhook" },
  403: { description: "Channels or the organization are switched off" },
  413: { description: "Too large: `content` has at most 16 KB, the body 1 MB" },
  422: { description: "Nothing in it can be posted, and how it was understood" },
  429: { description: "Too fast: retry after the seconds in Retry-After" },
};
const repeated = "With an `Idempotency-Key`, a repeated post does not create another message.";

const post = defineRoute({
  ...posting,
  path: `${base}/webhooks/{id}/{token}`,
  summary: "Post into a channel. The address is the credential. Also available without /v1",
  description: `${repeated} At most 16 KB of UTF-8. Bodies of Slack, Discord, Alertmanager, Grafana and Uptime Kuma, and a title with a message, are recognized.`,
  request: { params: address, headers: z.object(keyed), ...jsonBody(inboundPost) },
  responses: { 200: { description: "Posted", ...json(posted) }, ...refusals },
});
const postSlack = defineRoute({
  ...posting,
  path: `${base}/webhooks/{id}/{token}/slack`,
  summary: "Post into a channel as Slack's clients do, as JSON or a form with `payload`. Also available without /v1",
  description: repeated,
  request: { params: address, headers: z.object(keyed), ...jsonBody(z.record(z.string(), z.unknown())) },
  responses: {
    200: { description: "Posted: the text `ok`", content: { "text/plain": { schema: z.literal("ok") } } },
    ...refusals,
  },
});
const postGithub = defineRoute({
  ...posting,
  path: `${base}/webhooks/{id}/{token}/github`,
  summary: "Post GitHub's deliveries into a channel, as JSON or a form with `payload`. Also available without /v1",
  description: "A repeated delivery (`X-GitHub-Delivery`) does not create another message.",
  request: {
    params: address,
    headers: z.object({
      ...keyed,
      "x-github-event": z.string(),
      "x-github-delivery": z.string().optional(),
    }),
    ...jsonBody(z.record(z.string(), z.unknown())),
  },
  responses: { 200: { description: "Posted", ...json(posted) }, ...refusals },
});

function addressOf(c: HonoContext<AppEnvironment>): WebhookAddress {
  const { id = "", token = "" } = c.req.param();
  return { id, token };
}

export function channelWebhookRoutes() {
  const router = createRouter();
  // A browser that was given the address says it to nobody.
  router.use(`${base}/webhooks/*`, async (c, next) => {
    await next();
    c.res.headers.set("referrer-policy", "no-referrer");
  });
  router.raw(post, async (c) => {
    const message = await postByWebhook(contextOf(c), addressOf(c), null, () => readPost(c));
    return c.json({ success: true, message_id: message });
  });
  router.raw(postSlack, async (c) => {
    await postByWebhook(contextOf(c), addressOf(c), "Slack", () => readSlackPost(c));
    return c.text("ok");
  });
  router.raw(postGithub, async (c) => {
    const message = await postByWebhook(contextOf(c), addressOf(c), "GitHub", () => readGithubPost(c));
    return c.json({ success: true, message_id: message });
  });
  router.openapi(image, async (c) => {
    const { face } = c.req.valid("query");
    const picture = await getWebhookImage(contextOf(c), c.req.valid("param").webhook_id, face);
    c.header("cache-control", "private, max-age=300");
    if ("location" in picture) return c.redirect(inBase(contextOf(c), picture.location), 302);
    // Whatever the bytes are, they are shown as a picture and never run as a page of this origin.
    c.header("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox");
    c.header("content-type", picture.type);
    return c.body(picture.bytes, 200);
  });
  // Answers with a secret in them are kept nowhere on their way.
  router.use(`${base}/:id/webhooks/*`, async (c, next) => {
    await next();
    c.res.headers.set("cache-control", "no-store");
  });
  router.openapi(list, async (c) => c.json(await listWebhooks(contextOf(c), c.req.valid("param").id), 200));
  router.openapi(create, async (c) =>
    c.json(await createWebhook(contextOf(c), c.req.valid("param").id, c.req.valid("json")), 200),
  );
  router.openapi(update, async (c) => {
    const { id: channel, webhook_id } = c.req.valid("param");
    return c.json(await updateWebhook(contextOf(c), channel, webhook_id, c.req.valid("json")), 200);
  });
  router.openapi(requests, async (c) => {
    const { id: channel, webhook_id } = c.req.valid("param");
    return c.json(await listRequests(contextOf(c), channel, webhook_id), 200);
  });
  router.openapi(rotate, async (c) => {
    const { id: channel, webhook_id } = c.req.valid("param");
    return c.json(await rotateToken(contextOf(c), channel, webhook_id), 200);
  });
  router.openapi(remove, async (c) => {
    const { id: channel, webhook_id } = c.req.valid("param");
    await deleteWebhook(contextOf(c), channel, webhook_id);
    return c.json(true as const, 200);
  });
  return router;
}
