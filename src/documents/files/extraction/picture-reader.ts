import { anonymous } from "../../../access.ts";
import { type Context, contextWith } from "../../../context.ts";
import { AppError } from "../../../errors.ts";
import { retryAfterSeconds } from "../../../http/retry-after.ts";
import { JobFailure } from "../../../jobs/job-failure.ts";
import { findModel, type ResolvedModel } from "../../../models/catalog/find-model.ts";
import { networkFailure } from "../../../upstream/errors/network-failure.ts";
import { UpstreamError } from "../../../upstream/errors/upstream-error.ts";

/** A page or a picture, as the extractor hands it on. */
export interface Picture {
  /** From 1; null where it is no page. */
  page: number | null;
  contentType: string;
  base64: string;
}

/** What a model writes of one page is not believed beyond this; characters. */
const maxTextLength = 100_000;

const nothing = "NO TEXT";
const prompt = `Write down what stands in this picture as Markdown: all of its text, word for word and in its language, in the order of reading, with headings, lists and tables as such. For charts, drawings and photographs that show more than their text, add one short paragraph that says what they show. Write nothing else, no introduction and no code fence. If there is nothing to see, write ${nothing}.`;

/** Whether a model is set for pictures: then the extractor is asked for them. */
export function readsPictures(ctx: Pick<Context, "settings">): boolean {
  return ctx.settings.RAG_VISION_MODEL !== "";
}

/**
 * Asks the vision model what stands in a picture.
 * @returns Markdown; empty where there is nothing to read
 * @throws JobFailure `reader_failed`, final where another try changes nothing
 */
export async function readPicture(ctx: Context, picture: Picture, signal: AbortSignal): Promise<string> {
  const id = ctx.settings.RAG_VISION_MODEL;
  try {
    const model = await visionModel(ctx, id);
    const body = { model: model.id, messages: [{ role: "user", content: contentOf(picture) }], stream: false };
    const answer = await ctx.registry.askModel(
      ctx,
      { ...model, params: {} },
      { body, stream: false, signal, api: "task" },
    );
    if (answer.kind !== "json") throw failure(id, "its answer does not have the requested form", {});
    return clean(answer.reply.content);
  } catch (error) {
    if (error instanceof JobFailure || signal.aborted) throw error;
    throw explain(id, error, ctx.now());
  }
}

/** The same model whoever the file belongs to. */
async function visionModel(ctx: Context, id: string): Promise<ResolvedModel> {
  const service = contextWith(ctx, { actor: anonymous });
  const model = await findModel(service, id, { asService: true });
  if (model.kind === "function") throw failure(id, "it is a function and cannot read pictures", { final: true });
  return model;
}

function contentOf({ contentType, base64 }: Picture) {
  return [
    { type: "text", text: prompt },
    { type: "image_url", image_url: { url: `data:${contentType};base64,${base64}` } },
  ];
}

/** Some models put a fence around what they write, whatever they are told. */
function clean(text: string): string {
  const [, inner] = /^```(?:markdown|md)?\n([\s\S]*)\n```$/.exec(text.trim()) ?? [];
  const content = (inner ?? text).trim().slice(0, maxTextLength);
  return content
    .replace(/[."'*]/g, "")
    .trim()
    .toUpperCase() === nothing
    ? ""
    : content;
}

function explain(id: string, error: unknown, now: number): JobFailure {
  // What cannot be found now may be found when its provider answers again.
  if (error instanceof AppError) return failure(id, error.message, { cause: error });
  const upstream = error instanceof UpstreamError ? error : networkFailure(error);
  const { status, message, retryAfter } = upstream;
  const isPassing = status >= 500 || status === 408 || status === 409 || status === 429;
  const seconds = retryAfterSeconds(retryAfter, now);
  return failure(id, message.slice(0, 500), {
    final: !isPassing,
    cause: upstream,
    ...(seconds !== undefined && { retryAfter: seconds }),
  });
}

function failure(id: string, what: string, options: ConstructorParameters<typeof JobFailure>[2]): JobFailure {
  return new JobFailure("reader_failed", `The model that reads pictures, ${id}: ${what}`, options);
}
