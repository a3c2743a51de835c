import * as z from "zod";
import { requirePermission } from "../access.ts";
import { largeBody } from "../http/body.ts";
import { answers, flagBody, jsonBody } from "../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../http/routes.ts";
import { streamArray } from "../http/stream-array.ts";
import { allPrompts, getByCommand, listPromptTags, searchPrompts } from "./list-prompts.ts";
import { deleteVersion, getVersion, listVersions, useVersion } from "./prompt-versions.ts";
import { changePrompt, createPrompt, deletePrompt, getPrompt, togglePrompt } from "./prompts.ts";
import {
  exportQuery,
  importedCount,
  importedPrompts,
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
import { exportPrompts, importPrompts } from "./transfer-prompts.ts";

const base = "/api/v1/prompts";
const one = `${base}/id/{id}`;
const params = z.object({ id: z.string().min(1).max(100) });
const versionParams = params.extend({ version_id: z.string().min(1).max(100) });
const commandParams = z.object({ command: z.string().min(1).max(100) });
const none = {
  403: { description: "The caller can use the prompt but not change it" },
  404: { description: "No such prompt, or no access to it" },
};
const thePrompt = { ...answers("The prompt", promptView), ...none };
const taken = { 400: { description: "A prompt with this command already exists" } };
const done = { ...answers("Done", z.literal(true)), ...none };

const list = (path: string) =>
  defineRoute({
    method: "get",
    path,
    summary: "All prompts that the caller can read",
    responses: answers("Prompts", z.array(promptView)),
  });
const search = defineRoute({
  method: "get",
  path: `${base}/list`,
  summary: "Search prompts by command, name and tags",
  request: { query: promptQuery },
  responses: answers("30 per page", promptPage),
});
const tags = defineRoute({
  method: "get",
  path: `${base}/tags`,
  summary: "Tags of the prompts that the caller can read",
  responses: answers("Tags", z.array(z.string())),
});
const create = defineRoute({
  method: "post",
  path: `${base}/create`,
  requires: (ctx) => requirePermission(ctx, "workspace.prompts"),
  summary: "Create a prompt",
  request: jsonBody(newPrompt),
  responses: { ...answers("The prompt", promptView), ...taken },
});
const exported = defineRoute({
  method: "get",
  path: `${base}/export`,
  requires: (ctx) => requirePermission(ctx, "workspace.prompts"),
  summary: "Export the prompts that the caller can change, or one of them",
  request: { query: exportQuery },
  responses: answers("In the format of the import", z.array(promptView)),
});
const importing = defineRoute({
  method: "post",
  path: `${base}/import`,
  requires: (ctx) => requirePermission(ctx, "workspace.prompts"),
  maxBody: largeBody,
  summary: "Import prompts: create or change all of them, or none if one is invalid; they are shared with nobody",
  request: jsonBody(importedPrompts),
  responses: answers("How many", importedCount),
});
const byCommand = defineRoute({
  method: "get",
  path: `${base}/command/{command}`,
  summary: "Get a prompt by its command",
  request: { params: commandParams },
  responses: thePrompt,
});
const read = defineRoute({
  method: "get",
  path: one,
  summary: "Get a prompt",
  request: { params },
  responses: thePrompt,
});
const update = (path: string) =>
  defineRoute({
    method: "post",
    path,
    summary: "Update a prompt; only the fields in the body change. A new text creates a version",
    request: { params, ...jsonBody(promptChange) },
    responses: { ...thePrompt, ...taken },
  });
const choose = defineRoute({
  method: "post",
  path: `${one}/update/version`,
  summary: "Restore an earlier version",
  request: { params, ...jsonBody(versionChoice) },
  responses: thePrompt,
});
const toggle = defineRoute({
  method: "post",
  path: `${one}/toggle`,
  summary: "Enable or disable a prompt; without `is_active`, toggle it",
  request: { params, ...flagBody("is_active") },
  responses: thePrompt,
});
const access = defineRoute({
  method: "post",
  path: `${one}/access/update`,
  summary: "Set who can use and change a prompt",
  request: { params, ...jsonBody(promptAccess) },
  responses: thePrompt,
});
const remove = defineRoute({
  method: "delete",
  path: `${one}/delete`,
  summary: "Delete a prompt",
  request: { params },
  responses: done,
});
const versions = defineRoute({
  method: "get",
  path: `${one}/history`,
  summary: "The stored versions of a prompt, newest first",
  request: { params, query: versionQuery },
  responses: { ...answers("50 per page", z.array(promptVersion)), ...none },
});
const version = defineRoute({
  method: "get",
  path: `${one}/history/{version_id}`,
  summary: "Get a version of a prompt",
  request: { params: versionParams },
  responses: { ...answers("The version", promptVersion), ...none },
});
const forget = defineRoute({
  method: "delete",
  path: `${one}/history/{version_id}`,
  summary: "Delete a version of a prompt that is not in use",
  request: { params: versionParams },
  responses: { ...done, 409: { description: "The version is in use" } },
});

/** Stored texts that people insert into chats, with Open WebUI's paths and formats. */
export function promptRoutes() {
  const router = createRouter();
  for (const path of [base, `${base}/`])
    // Written as it is read; the type of the answer is the schema's.
    router.openapi(list(path), (c) => streamArray(allPrompts(contextOf(c)), c.req.header("accept-encoding")) as never);
  router.openapi(search, async (c) => c.json(await searchPrompts(contextOf(c), c.req.valid("query")), 200));
  router.openapi(tags, async (c) => c.json(await listPromptTags(contextOf(c)), 200));
  router.openapi(create, async (c) => c.json(await createPrompt(contextOf(c), c.req.valid("json")), 200));
  router.openapi(
    exported,
    async (c) =>
      streamArray(await exportPrompts(contextOf(c), c.req.valid("query").id), c.req.header("accept-encoding")) as never,
  );
  router.openapi(importing, async (c) => c.json(await importPrompts(contextOf(c), c.req.valid("json")), 200));
  router.openapi(byCommand, async (c) => c.json(await getByCommand(contextOf(c), c.req.valid("param").command), 200));
  router.openapi(read, async (c) => c.json(await getPrompt(contextOf(c), c.req.valid("param").id), 200));
  for (const path of [`${one}/update`, `${one}/update/meta`])
    router.openapi(update(path), async (c) =>
      c.json(await changePrompt(contextOf(c), c.req.valid("param").id, c.req.valid("json")), 200),
    );
  router.openapi(choose, async (c) =>
    c.json(await useVersion(contextOf(c), c.req.valid("param").id, c.req.valid("json").version_id), 200),
  );
  router.openapi(toggle, async (c) =>
    c.json(await togglePrompt(contextOf(c), c.req.valid("param").id, c.req.valid("json")?.is_active), 200),
  );
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
