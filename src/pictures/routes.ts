import * as z from "zod";
import { contextOf, createRouter, defineRoute } from "../http/routes.ts";
import { pictureProxyPath } from "../shared/outside-pictures.ts";
import { fetchOutsidePicture } from "./fetch-outside-picture.ts";

const proxy = defineRoute({
  method: "get",
  path: pictureProxyPath,
  summary: "A picture of another site, which the service fetches in the reader's place",
  request: { query: z.object({ url: z.string().min(1).max(4000) }) },
  responses: {
    200: { description: "The picture", content: { "image/*": { schema: z.string() } } },
    403: { description: "Pictures of other sites are switched off, or the address is not public" },
    429: { description: "Too many at once: retry after the seconds in Retry-After" },
    502: { description: "The other site does not answer, or not with a PNG, JPEG, GIF, WebP or AVIF of at most 5 MB" },
  },
});

export function pictureRoutes() {
  const router = createRouter();
  router.openapi(proxy, async (c) => {
    const { type, body } = await fetchOutsidePicture(contextOf(c), c.req.valid("query").url, c.req.raw.signal);
    return c.body(body, 200, {
      "content-type": type,
      "content-disposition": "inline",
      // No page of this origin, whatever is in it, and nothing for pages of others.
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "cache-control": "private, max-age=3600",
    }) as never;
  });
  return router;
}
