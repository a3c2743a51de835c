import type { Context } from "../context.ts";
import { createFile } from "../documents/files/files.ts";
import { AppError } from "../errors.ts";
import { callMedia, type MediaCall } from "../models/media/call-media.ts";
import { mediaConnection } from "../models/media/media-connection.ts";
import { requireQuota } from "../usage/quotas/require-quota.ts";
import { readUsage } from "../usage/read-usage.ts";
import { recordUse } from "../usage/record-use.ts";
import { requireImages } from "./may-make-images.ts";
import { readImages } from "./read-images.ts";
import type { ImageList } from "./schema.ts";
import type { SourceImage } from "./source-images.ts";

export interface WantedImage {
  prompt: string;
  size?: string | null | undefined;
  n?: number | null | undefined;
  steps?: number | null | undefined;
  negative_prompt?: string | null | undefined;
}

/** Where the pictures belong, and what ends the wait. */
export interface ImagePlace {
  /** A stored chat of the caller's; its pictures go with it. */
  chatId: string | undefined;
  signal: AbortSignal;
}

/** Milliseconds: large models take a minute or two. */
const timeoutMs = 240_000;

/**
 * Has a model make pictures, which become files of the caller.
 * @throws AppError `forbidden`, `quota_exceeded`, what `callMedia` and `createFile` throw
 */
export function makeImages(ctx: Context, wanted: WantedImage, place: ImagePlace): Promise<ImageList> {
  const model = ctx.settings.IMAGE_GENERATION_MODEL;
  const { prompt, n, steps, negative_prompt: negative } = wanted;
  const sent = { model, prompt: prompt.toWellFormed(), n: n ?? 1, ...sizeOf(ctx, wanted), ...formOf(model) };
  const count = steps ?? ctx.settings.IMAGE_STEPS;
  const body = JSON.stringify({
    ...sent,
    ...(count > 0 ? { steps: count } : {}),
    ...(negative ? { negative_prompt: negative.toWellFormed() } : {}),
  });
  const headers = { "content-type": "application/json" };
  return ask(ctx, { path: "/images/generations", model, headers, body: () => body }, prompt, place);
}

/**
 * Has a model change pictures.
 * @throws AppError as `makeImages`
 */
export async function editImages(
  ctx: Context,
  wanted: WantedImage,
  sources: readonly SourceImage[],
  place: ImagePlace,
): Promise<ImageList> {
  requireImages(ctx);
  if (!ctx.settings.ENABLE_IMAGE_EDIT) throw new AppError("forbidden", "Changing pictures is switched off");
  const model = ctx.settings.IMAGE_EDIT_MODEL || ctx.settings.IMAGE_GENERATION_MODEL;
  const fields = { model, prompt: wanted.prompt.toWellFormed(), n: String(wanted.n ?? 1), ...formOf(model) };
  const body = (): FormData => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...fields, ...sizeOf(ctx, wanted) })) form.set(name, value);
    const name = sources.length > 1 ? "image[]" : "image";
    for (const { bytes, contentType } of sources)
      form.append(name, new Blob([bytes], { type: contentType }), `image.${contentType.slice("image/".length)}`);
    return form;
  };
  return ask(ctx, { path: "/images/edits", model, body }, wanted.prompt, place);
}

function sizeOf(ctx: Context, { size }: WantedImage): { size?: string } {
  const said = size || ctx.settings.IMAGE_SIZE;
  return said === "" ? {} : { size: said };
}

/** Models of the family gpt-image always give bytes, and refuse to be asked for them. */
function formOf(model: string): { response_format?: "b64_json" } {
  return /gpt-image/i.test(model) ? {} : { response_format: "b64_json" };
}

async function ask(
  ctx: Context,
  call: Omit<MediaCall, "signal">,
  prompt: string,
  { chatId, signal }: ImagePlace,
): Promise<ImageList> {
  requireImages(ctx);
  const model = { id: call.model };
  const connection = await mediaConnection(ctx, ctx.settings.IMAGE_GENERATION_CONNECTION, "pictures");
  await requireQuota(ctx, model);
  const startedAt = Date.now();
  const note = (use: Pick<Parameters<typeof recordUse>[1], "state" | "code" | "usage">) =>
    recordUse(ctx, { api: "images", model, connectionId: connection.id, startedAt, ...use });
  const until = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const response = await callMedia(ctx, connection, { ...call, signal: until });
    const { images, answer } = await readImages(ctx, connection, response, until);
    note({ state: "done", usage: readUsage(answer) });
    const files: ImageList = [];
    for (const { bytes, contentType } of images) {
      const name = nameFor(prompt, contentType);
      const { id, url, meta } = await createFile(ctx, { name, contentType, bytes, chatId });
      files.push({ url, id, name: meta.name, content_type: contentType, size: bytes.length });
    }
    return files;
  } catch (error) {
    if (signal.aborted) note({ state: "stopped", usage: undefined });
    else note({ state: "error", code: error instanceof AppError ? error.code : "internal_error", usage: undefined });
    signal.throwIfAborted();
    if (until.aborted)
      throw new AppError("upstream_timeout", `No picture came within ${timeoutMs / 1000} s`, { cause: error });
    throw error;
  }
}

/** A file's name from the beginning of the description. */
function nameFor(prompt: string, contentType: string): string {
  const words = prompt
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, "")
    .trim()
    .replaceAll(/\s+/g, "-")
    .slice(0, 60)
    .replace(/-+$/, "")
    .toWellFormed();
  return `${words || "picture"}.${contentType.slice("image/".length)}`;
}
