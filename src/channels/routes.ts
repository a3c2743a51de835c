import * as z from "zod";
import { contextOf, createRouter, defineRoute } from "../http/routes.ts";
import { changeChannel, createChannel } from "./channels.ts";
import { deleteChannel } from "./delete-channel.ts";
import { openDirectWith, showDirect } from "./direct.ts";
import { requireChannels } from "./find-channel.ts";
import { joinChannel, leaveChannel } from "./join-channel.ts";
import { browseChannels, getChannel, listChannels } from "./list-channels.ts";
import { addMembers, removeMembers, setRole } from "./members/change-members.ts";
import { listMembers } from "./members/list-members.ts";
import { memberPage, memberQuery, namedPeople, roleChoice, shownChoice } from "./members/schema.ts";
import { readUpTo } from "./read-position.ts";
import { browsePage, browseQuery, channelChange, channelView, lastRead, newChannel, readPosition } from "./schema.ts";

const base = "/api/v1/channels";
const one = `${base}/{id}`;
const id = z.string().min(1).max(100);
const params = z.object({ id });
const personParams = z.object({ user_id: id });
const memberParams = z.object({ id, user_id: id });
const json = <S extends z.ZodType>(schema: S) => ({ content: { "application/json": { schema } } });
const body = <S extends z.ZodType>(schema: S) => ({ body: { ...json(schema), required: true } });
const answer = <S extends z.ZodType>(description: string, schema: S) => ({ 200: { description, ...json(schema) } });
const none = { 404: { description: "No such channel, or no access to it" } };
const notManaged = { ...none, 403: { description: "The caller does not manage the channel" } };
const noMember = { ...none, 403: { description: "The caller is not a member of the channel" } };
const lastManager = { 409: { description: "The channel would have no manager left" } };
const taken = { 409: { description: "A public channel with this name already exists" } };
const theChannel = answer("The channel as the caller sees it; times are epoch milliseconds", channelView);
const done = answer("Done", z.literal(true));

const own = (path: string) =>
  defineRoute({
    method: "get",
    path,
    summary: "The caller's channels and conversations, latest message first",
    responses: answer("At most 1,000; times are epoch milliseconds", z.array(channelView)),
  });
const all = defineRoute({
  method: "get",
  path: `${base}/list`,
  summary:
    "The caller's channels; for system administrators all channels except direct conversations of others, their own first",
  responses: answer("At most 1,000", z.array(channelView)),
});
const browse = defineRoute({
  method: "get",
  path: `${base}/browse`,
  summary: "Public channels of the caller's organization, by name",
  request: { query: browseQuery },
  responses: answer("A page of channels", browsePage),
});
const direct = defineRoute({
  method: "get",
  path: `${base}/users/{user_id}`,
  summary: "The direct conversation with a person; created if it does not exist",
  request: { params: personParams },
  responses: { ...theChannel, 404: { description: "No such person" } },
});
const create = defineRoute({
  method: "post",
  path: `${base}/create`,
  summary: "Create a channel or open a direct conversation",
  description:
    "Private unless `is_private` is false or `access_grants` let everyone write. Everyone who can read a channel can also write in it: grants of `read` alone are rejected. Groups are resolved to their current members.",
  request: body(newChannel),
  responses: { ...theChannel, ...taken, 403: { description: "The caller may not create public channels" } },
});
const read = defineRoute({
  method: "get",
  path: one,
  summary: "A channel",
  request: { params },
  responses: { ...theChannel, ...none },
});
const update = defineRoute({
  method: "post",
  path: `${one}/update`,
  summary: "Update a channel; for its managers",
  request: { params, ...body(channelChange) },
  responses: { ...theChannel, ...notManaged, ...taken },
});
const remove = defineRoute({
  method: "delete",
  path: `${one}/delete`,
  summary: "Delete a channel with all of its messages; for its managers",
  request: { params },
  responses: { ...done, ...notManaged },
});
const members = defineRoute({
  method: "get",
  path: `${one}/members`,
  summary: "Members of a channel",
  request: { params, query: memberQuery },
  responses: { ...answer("A page of members; default 30", memberPage), ...none },
});
const add = defineRoute({
  method: "post",
  path: `${one}/update/members/add`,
  summary: "Add people and the current members of groups; for managers of the channel",
  request: { params, ...body(namedPeople) },
  responses: { ...theChannel, ...notManaged },
});
const takeOut = defineRoute({
  method: "post",
  path: `${one}/update/members/remove`,
  summary: "Remove people and the current members of groups; for managers of the channel",
  request: { params, ...body(namedPeople) },
  responses: { ...done, ...notManaged, ...lastManager },
});
const role = defineRoute({
  method: "post",
  path: `${one}/members/{user_id}/role`,
  summary: "Make a member a manager or revoke that role; for managers of the channel",
  request: { params: memberParams, ...body(roleChoice) },
  responses: { ...done, ...notManaged, ...lastManager },
});
const show = defineRoute({
  method: "post",
  path: `${one}/members/active`,
  summary: "Hide a direct conversation until the next message, or show it again",
  request: { params, ...body(shownChoice) },
  responses: { ...done, ...none },
});
const join = defineRoute({
  method: "post",
  path: `${one}/join`,
  summary: "Join a public channel",
  request: { params },
  responses: {
    ...theChannel,
    ...none,
    403: { description: "The channel is private or belongs to another organization" },
  },
});
const leave = defineRoute({
  method: "post",
  path: `${one}/leave`,
  summary: "Leave a channel",
  request: { params },
  responses: { ...done, ...noMember, ...lastManager },
});
const seen = defineRoute({
  method: "post",
  path: `${one}/read`,
  summary: "Set the caller's read position in a channel or thread; it never moves backwards",
  request: { params, ...body(readPosition) },
  responses: { ...answer("The current position", lastRead), ...noMember },
});

/**
 * Channels and their members; paths are Open WebUI's where it has them, times are epoch milliseconds. Mounted after the
 * routers below channels, because `/{id}` would match their paths.
 */
export function channelRoutes() {
  const router = createRouter({ requires: requireChannels });
  for (const path of [base, `${base}/`])
    router.openapi(own(path), async (c) => c.json(await listChannels(contextOf(c)), 200));
  router.openapi(all, async (c) => c.json(await listChannels(contextOf(c), { all: true }), 200));
  router.openapi(browse, async (c) => c.json(await browseChannels(contextOf(c), c.req.valid("query")), 200));
  router.openapi(direct, async (c) => c.json(await openDirectWith(contextOf(c), c.req.valid("param").user_id), 200));
  router.openapi(create, async (c) => c.json(await createChannel(contextOf(c), c.req.valid("json")), 200));
  router.openapi(read, async (c) => c.json(await getChannel(contextOf(c), c.req.valid("param").id), 200));
  router.openapi(update, async (c) =>
    c.json(await changeChannel(contextOf(c), c.req.valid("param").id, c.req.valid("json")), 200),
  );
  router.openapi(remove, async (c) => {
    await deleteChannel(contextOf(c), c.req.valid("param").id);
    return c.json(true as const, 200);
  });
  router.openapi(members, async (c) =>
    c.json(await listMembers(contextOf(c), c.req.valid("param").id, c.req.valid("query")), 200),
  );
  router.openapi(add, async (c) =>
    c.json(await addMembers(contextOf(c), c.req.valid("param").id, c.req.valid("json")), 200),
  );
  router.openapi(takeOut, async (c) => {
    await removeMembers(contextOf(c), c.req.valid("param").id, c.req.valid("json"));
    return c.json(true as const, 200);
  });
  router.openapi(show, async (c) => {
    await showDirect(contextOf(c), c.req.valid("param").id, c.req.valid("json").is_active);
    return c.json(true as const, 200);
  });
  router.openapi(role, async (c) => {
    const { id: channelId, user_id: userId } = c.req.valid("param");
    await setRole(contextOf(c), channelId, userId, c.req.valid("json").role);
    return c.json(true as const, 200);
  });
  router.openapi(join, async (c) => c.json(await joinChannel(contextOf(c), c.req.valid("param").id), 200));
  router.openapi(leave, async (c) => {
    await leaveChannel(contextOf(c), c.req.valid("param").id);
    return c.json(true as const, 200);
  });
  router.openapi(seen, async (c) =>
    c.json(await readUpTo(contextOf(c), c.req.valid("param").id, c.req.valid("json")), 200),
  );
  return router;
}
