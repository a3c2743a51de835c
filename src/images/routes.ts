import { requirePermission } from "../access.ts";
import type { Context } from "../context.ts";
import { answers, jsonBody } from "../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../http/routes.ts";
import { knownList } from "../models/catalog/look-up-list.ts";
import { mediaConnection } from "../models/media/media-connection.ts";
import { editImages, makeImages } from "./make-images.ts";
import { requireImages } from "./may-make-images.ts";
import { imageEdit, imageList, imageModels, imageRequest } from "./schema.ts";
import { loadSourceImages } from "./source-images.ts";

/** Bytes: pictures to change may stand in the request. */
const maxBody = 30_000_000;

const failures = {
  400: { description: "The provider refused, in its words" },
  429: { description: "A quota is used up, or the provider is busy" },
  502: { description: "The provider failed" },
};
const generations = defineRoute({
  method: "post",
  path: "/api/v1/images/generations",
  requires: requireImages,
  rate: "models",
  summary: "Have a model make pictures, which become files of the caller",
  request: jsonBody(imageRequest),
  responses: { ...answers("The pictures", imageList), ...failures },
});
const edit = defineRoute({
  method: "post",
  path: "/api/v1/images/edit",
  requires: requireImages,
  rate: "models",
  maxBody,
  summary: "Have a model change pictures: files that the caller can read, or data URLs",
  request: jsonBody(imageEdit),
  responses: { ...answers("The new pictures", imageList), ...failures, 404: { description: "No such file" } },
});
const models = defineRoute({
  method: "get",
  path: "/api/v1/images/models",
  requires: (ctx) => requirePermission(ctx, "features.image_generation"),
  summary: "Models for pictures",
  responses: answers("The chosen model, and others of its connection that make pictures by their names", imageModels),
});

export function imageRoutes() {
  const router = createRouter();
  router.openapi(generations, async (c) =>
    c.json(await makeImages(contextOf(c), c.req.valid("json"), placeOf(c.req.raw)), 200),
  );
  router.openapi(edit, async (c) => {
    const { image, ...wanted } = c.req.valid("json");
    requireImages(contextOf(c));
    const sources = await loadSourceImages(contextOf(c), typeof image === "string" ? [image] : image);
    return c.json(await editImages(contextOf(c), wanted, sources, placeOf(c.req.raw)), 200);
  });
  router.openapi(models, async (c) => c.json(await listImageModels(contextOf(c)), 200));
  return router;
}

function placeOf({ signal }: Request) {
  return { chatId: undefined, signal };
}

async function listImageModels(ctx: Context): Promise<{ id: string; name: string }[]> {
  requireImages(ctx);
  const chosen = ctx.settings.IMAGE_GENERATION_MODEL;
  const connection = await mediaConnection(ctx, ctx.settings.IMAGE_GENERATION_CONNECTION, "pictures");
  const listed = knownList(ctx, connection)?.list?.models ?? [];
  const others = listed.filter(({ id }) => id !== chosen && /image|dall-e|flux|diffusion|sdxl|imagen/i.test(id));
  return [{ id: chosen, name: chosen }, ...others.map(({ id, name }) => ({ id, name }))];
}
