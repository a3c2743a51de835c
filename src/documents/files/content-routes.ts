import { createRoute } from "@hono/zod-openapi";
import type { Context as HonoContext } from "hono";
import * as z from "zod";
import { readRange } from "../../http/byte-range.ts";
import { streamJsonText } from "../../http/json-text.ts";
import { type AppEnvironment, contextOf, type createRouter } from "../../http/routes.ts";
import { getFile, readBytesOfFile, readTextOfFile } from "./read-file.ts";
import { maxLength, readWindow } from "./read-window.ts";
import { contentBody, contentQuery, fileParam, fileView, oneQuery, textWindow, windowQuery } from "./schema.ts";
import { updateText } from "./update-text.ts";

const base = "/api/v1/files";
const params = { params: fileParam };
const json = <S extends z.ZodType>(schema: S) => ({ content: { "application/json": { schema } } });
const answer = <S extends z.ZodType>(description: string, schema: S) => ({ 200: { description, ...json(schema) } });
const none = { 404: { description: "No such file, or no access to it" } };
const bytes = { content: { "application/octet-stream": { schema: z.string() } } };

const one = createRoute({
  method: "get",
  path: `${base}/{id}`,
  summary: "Get a file, optionally with its text",
  request: { ...params, query: oneQuery },
  responses: { ...answer("The file", fileView), ...none },
});
const content = createRoute({
  method: "get",
  path: `${base}/{id}/content`,
  summary: "The content of a file, or a byte range of it",
  request: { ...params, query: contentQuery },
  responses: {
    200: { description: "The bytes", ...bytes },
    206: { description: "The requested range", ...bytes },
    416: { description: "The range starts after the end of the file" },
    ...none,
  },
});
const text = createRoute({
  method: "get",
  path: `${base}/{id}/data/content`,
  summary: "The text of a file, or part of it",
  request: { ...params, query: windowQuery },
  responses: {
    ...answer("The text; for a part also its position", textWindow.partial().required({ content: true })),
    ...none,
  },
});
const update = createRoute({
  method: "post",
  path: `${base}/{id}/data/content/update`,
  summary: "Replace the text of a file",
  request: { ...params, body: { ...json(contentBody), required: true } },
  responses: { ...answer("The file, with the status pending", fileView.extend({ content: z.string() })), ...none },
});

/** Shown in the page; everything else is saved, whatever it says of itself. */
const shown = /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp)|audio\/[\w.+-]+|video\/[\w.+-]+|text\/plain)$/;

export function addContentRoutes(router: ReturnType<typeof createRouter>): void {
  router.openapi(one, async (c) => {
    const isWanted = c.req.valid("query").content;
    const { file, text: stored } = await getFile(contextOf(c), c.req.valid("param").id, isWanted);
    if (!stored) return c.json(file, 200);
    const { data, ...rest } = file;
    const before = `${JSON.stringify({ ...rest }).slice(0, -1)},"data":${JSON.stringify(data).slice(0, -1)},"content":`;
    return streamed(c, streamJsonText(before, stored.body, "}}"));
  });
  router.openapi(content, async (c) => {
    let isBehind = false;
    let size = 0;
    const { file, body, range } = await readBytesOfFile(contextOf(c), c.req.valid("param").id, (length) => {
      size = length;
      const asked = readRange(c.req.header("range"), length);
      isBehind = asked === "unsatisfiable";
      return asked === "unsatisfiable" ? undefined : asked;
    });
    // The bytes never change; whether they may still be seen is asked each time.
    const etag = file.hash === null ? undefined : `"${file.hash}"`;
    const isKnown = etag !== undefined && (c.req.header("if-none-match") ?? "").includes(etag);
    if (isBehind || isKnown) await body.cancel().catch(() => undefined);
    if (isKnown) return c.body(null, 304, { etag }) as never;
    if (isBehind) return c.body(null, 416, { "content-range": `bytes */${size}` }) as never;
    const { content_type: type } = file.meta;
    const isShown = shown.test(type) && !c.req.valid("query").attachment;
    return c.body(body, range ? 206 : 200, {
      "content-type": shown.test(type) || type === "application/pdf" ? type : "application/octet-stream",
      "content-length": String(range ? range.length : size),
      ...(range ? { "content-range": `bytes ${range.offset}-${range.offset + range.length - 1}/${size}` } : {}),
      "accept-ranges": "bytes",
      "content-disposition": `${isShown ? "inline" : "attachment"}; filename*=UTF-8''${encodeName(file.filename)}`,
      // No page of this origin, whatever is in it.
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": "private, no-cache",
      ...(etag === undefined ? {} : { etag }),
    }) as never;
  });
  router.openapi(text, async (c) => {
    const stored = await readTextOfFile(contextOf(c), c.req.valid("param").id);
    const { start, end } = c.req.valid("query");
    if (start === undefined && end === undefined)
      return stored ? streamed(c, streamJsonText('{"content":', stored.body, "}")) : c.json({ content: "" }, 200);
    if (!stored) return c.json({ content: "", start: 0, end: 0, length: 0 }, 200);
    const from = start ?? 0;
    return c.json(await readWindow(stored, from, end ?? from + maxLength), 200);
  });
  router.openapi(update, async (c) => {
    const { content: given } = c.req.valid("json");
    const file = await updateText(contextOf(c), c.req.valid("param").id, given);
    return c.json({ ...file, content: given }, 200);
  });
}

/** For the extended form of a parameter (RFC 8187, section 3.2.1), in which signs that URLs may hold mean something. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

function streamed(c: HonoContext<AppEnvironment>, body: ReadableStream<Uint8Array>): never {
  return c.body(body, 200, { "content-type": "application/json; charset=UTF-8" }) as never;
}
