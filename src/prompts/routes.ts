import { createRoute } from "@hono/zod-openapi";
import * as z from "zod";
import { contextOf, createRouter } from "../http/routes.ts";
import { streamArray } from "../http/stream-array.ts";
import { allPrompts, getByCommand, listPromptTags, searchPrompts } from "./list-prompts.ts";
import { deleteVersion, getVersion, listVersions, useVersion } from "./prompt-versions.ts";
import { changePrompt, createPrompt, deletePrompt, getPrompt, togglePrompt } from "./prompts.ts";
import {
  newPrompt,
  promptAccess,
  promptChange,
  promptPage,
  promptQuery,
  promptVersion,
  promptView,
  versionChoice,
  versionQuery,
} from "./schema.ts";

const base = "/api/v1/prompts";
const one = `${base}/id/{id}`;
const params = z.object({ id: z.string().min(1).max(100) });
const versionParams = params.extend({ version_id: z.string().min(1).max(100) });
const commandParams = z.object({ command: z.string().min(1).max(100) });
const json = <S extends z.ZodType>(schema: S) => ({ content: { "application/json": { schema } } });
const body = <S extends z.ZodType>(schema: S) => ({ body: { ...json(schema), required: true } });
const answer = <S extends z.ZodType>(description: string, schema: S) => ({ 200: { description, ...json(schema) } });
const none = {
  403: { description: "The caller can use the prompt but not change it" },
  404: { description: "No such prompt, or no access to it" },
};
const thePrompt = { ...answer("The prompt", promptView), ...none };
const taken = { 400: { description: "A prompt with this command already exists" } };
const done = { ...answer("Done", z.literal(true)), ...none };

const list = (path: string) =>
  createRoute({
    method: "get",
    path,
    summary: "All prompts that the caller can read",
    responses: answer("Prompts", z.array(promptView)),
  });
const search = createRoute({
  method: "get",
  path: `${base}/list`,
  summary: "Search prompts by command, name and tags",
  request: { query: promptQuery },
  responses: answer("30 per page", promptPage),
});
const tags = createRoute({
  method: "get",
  path: `${base}/tags`,
  summary: "Tags of the prompts that the caller can read",
  responses: answer("Tags", z.array(z.string())),
});
const create = createRoute({
  method: "post",
  path: `${base}/create`,
  summary: "Create a prompt",
  request: body(newPrompt),
  responses: { ...answer("The prompt", promptView), ...taken },
});
const byCommand = createRoute({
  method: "get",
  path: `${base}/command/{command}`,
  summary: "Get a prompt by its command",
  request: { params: commandParams },
  responses: thePrompt,
});
const read = createRoute({
  method: "get",
  path: one,
  summary: "Get a prompt",
  request: { params },
  responses: thePrompt,
});
const update = (path: string) =>
  createRoute({
    method: "post",
    path,
    summary: "Update a prompt; only the fields in the body change. A new text creates a version",
    request: { params, ...body(promptChange) },
    responses: { ...thePrompt, ...taken },
  });
const choose = createRoute({
  method: "post",
  path: `${one}/update/version`,
  summary: "Restore an earlier version",
  request: { params, ...body(versionChoice) },
  responses: thePrompt,
});
const toggle = createRoute({
  method: "post",
  path: `${one}/toggle`,
  summary: "Enable or disable a prompt",
  request: { params },
  responses: thePrompt,
});
const access = createRoute({
  method: "post",
  path: `${one}/access/update`,
  summary: "Set who can use and change a prompt",
  request: { params, ...body(promptAccess) },
  responses: thePrompt,
});
const remove = createRoute({
  method: "delete",
  path: `${one}/delete`,
  summary: "Delete a prompt",
  request: { params },
  responses: done,
});
const versions = createRoute({
  method: "get",
  path: `${one}/history`,
  summary: "The stored versions of a prompt, newest first",
  request: { params, query: versionQuery },
  responses: { ...answer("50 per page", z.array(promptVersion)), ...none },
});
const version = createRoute({
  method: "get",
  path: `${one}/history/{version_id}`,
  summary: "Get a version of a prompt",
  request: { params: versionParams },
  responses: { ...answer("The version", promptVersion), ...none },
});
const forget = createRoute({
  method: "delete",
  path: `${one}/history/{version_id}`,
  summary: "Delete a version of a prompt that is not in use",
  request: { params: versionParams },
  responses: { ...done, 409: { description: "The version is in use" } },
});

/** Texts that people keep and call up in chats; paths and shapes are the peer's. */
export function promptRoutes() {
  const router = createRouter();
  for (const path of [base, `${base}/`])
    // Written as it is read; the type of the answer is the schema's.
    router.openapi(list(path), (c) => streamArray(allPrompts(contextOf(c))) as never);
  router.openapi(search, async (c) => c.json(await searchPrompts(contextOf(c), c.req.valid("query")), 200));
  router.openapi(tags, async (c) => c.json(await listPromptTags(contextOf(c)), 200));
  router.openapi(create, async (c) => c.json(await createPrompt(contextOf(c), c.req.valid("json")), 200));
  router.openapi(byCommand, async (c) => c.json(await getByCommand(contextOf(c), c.req.valid("param").command), 200));
  router.openapi(read, async (c) => c.json(await getPrompt(contextOf(c), c.req.valid("param").id), 200));
  for (const path of [`${one}/update`, `${one}/update/meta`])
    router.openapi(update(path), async (c) =>
      c.json(await changePrompt(contextOf(c), c.req.valid("param").id, c.req.valid("json")), 200),
    );
  router.openapi(choose, async (c) =>
    c.json(await useVersion(contextOf(c), c.req.valid("param").id, c.req.valid("json").version_id), 200),
  );
  router.openapi(toggle, async (c) => c.json(await togglePrompt(contextOf(c), c.req.valid("param").id), 200));
  router.openapi(access, async (c) =>
    c.json(await changePrompt(contextOf(c), c.req.valid("param").id, c.req.valid("json")), 200),
  );
  router.openapi(remove, async (c) => {
    await deletePrompt(contextOf(c), c.req.valid("param").id);
    return c.json(true as const, 200);
  });
  router.openapi(versions, async (c) =>
    c.json(await listVersions(contextOf(c), c.req.valid("param").id, c.req.valid("query").page), 200),
  );
  router.openapi(version, async (c) => {
    const { id, version_id: versionId } = c.req.valid("param");
    return c.json(await getVersion(contextOf(c), id, versionId), 200);
  });
  router.openapi(forget, async (c) => {
    const { id, version_id: versionId } = c.req.valid("param");
    await deleteVersion(contextOf(c), id, versionId);
    return c.json(true as const, 200);
  });
  return router;
}
