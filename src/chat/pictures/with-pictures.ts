import type { Context } from "../../context.ts";
import { isRecord } from "../../lib/json.ts";
import { runtimeSignal, type StopSignal } from "../../lib/stop-signal.ts";
import type { ResolvedModel } from "../../models/catalog/find-model.ts";
import { pictureType } from "../../shared/vision.ts";
import { createPictureLoader, findPictureFiles, pictureLimits, refuse, type PictureFile } from "./load-pictures.ts";
import { findPictures, maybePictures, pictureIdOf, type PicturePart } from "./read-references.ts";
import { seesPictures } from "./sees-pictures.ts";

type Body = Record<string, unknown>;

const unseen = "(A picture that this model cannot see)";
const leftOut = "(An earlier picture was left out here)";

/**
 * The request with its pictures in the form that the model needs: files of the service that the caller may read now as
 * data URLs, and web addresses too if the provider does not fetch them. Attached files (`files`) that are pictures are
 * added to the last question. A model that does not see pictures gets none of the service's files; their extracted text
 * is searched like any other document. Costs nothing without pictures, and no round trip without files of the service.
 * @throws AppError `validation_failed` for one that cannot be loaded
 */
export async function withPictures(ctx: Context, model: ResolvedModel, body: Body, signal: StopSignal): Promise<Body> {
  const messages = Array.isArray(body["messages"]) ? (body["messages"] as unknown[]) : [];
  const standing = findPictures(messages, ctx.origin);
  const attached = maybePictures(body["files"]);
  const isFetched = fetchesThem(model);
  const work = standing.filter(({ fileId, url }) => fileId !== undefined || (isFetched && !url.startsWith("data:")));
  if (work.length === 0 && attached.length === 0) return body;
  if (standing.length > pictureLimits.count) throw refuse(`there are more than ${pictureLimits.count}`);

  const isSeen = seesPictures(ctx, model);
  const ids = [...new Set([...work.flatMap(({ fileId }) => fileId ?? []), ...attached])];
  const files = ids.length === 0 || !isSeen ? new Map<string, PictureFile>() : await findPictureFiles(ctx, ids);
  const loader = createPictureLoader(ctx, runtimeSignal(signal));
  const last = messages.findLastIndex((message) => isRecord(message) && message["role"] === "user");
  const made = new Map<PicturePart, Body>();
  // The newest first: the room that there is goes to what is asked about now.
  for (const part of work.toReversed()) {
    const { fileId, url } = part;
    if (fileId === undefined) made.set(part, pictureOf(await loader.fetch(url), messages, part));
    else if (!isSeen) made.set(part, { type: "text", text: unseen });
    else {
      const file = files.get(fileId);
      if (file && part.message >= last) made.set(part, pictureOf(await loader.file(file), messages, part));
      else if (file) made.set(part, await older(loader.file(file), messages, part));
      else if (part.message >= last) throw refuse("no such file");
      else made.set(part, { type: "text", text: leftOut });
    }
  }
  const standingIds = new Set(standing.flatMap(({ fileId }) => fileId ?? []));
  const added: Body[] = [];
  for (const id of new Set(attached)) {
    const file = files.get(id);
    if (standingIds.has(id) || !file || !pictureType.test(file.contentType)) continue;
    added.push({ type: "image_url", image_url: { url: await loader.file(file) } });
  }
  const isGiven = (entry: unknown): boolean => {
    const id = isRecord(entry) ? pictureIdOf(entry) : undefined;
    return id !== undefined && pictureType.test(files.get(id)?.contentType ?? "");
  };
  const rest = Array.isArray(body["files"])
    ? (body["files"] as unknown[]).filter((entry) => !isGiven(entry))
    : undefined;
  return { ...body, messages: put(messages, made, added, last), ...(rest ? { files: rest } : {}) };
}

/** Whether a possible connection has a provider that does not fetch pictures. */
function fetchesThem({ connection, kind, alternatives }: ResolvedModel): boolean {
  return [{ connection, kind }, ...alternatives].some(
    (way) => way.kind === "local" || way.connection.quirks.images === "data_url",
  );
}

/** The part with another address; its other fields (such as detail) stay. */
function pictureOf(url: string, messages: readonly unknown[], { message, at }: PicturePart): Body {
  const part = ((messages[message] as Body)["content"] as Body[])[at]!;
  const { image_url: image } = part;
  return { ...part, image_url: isRecord(image) ? { ...image, url } : { url } };
}

/** A broken picture of an earlier question is left out, so that the conversation can continue. */
async function older(loaded: Promise<string>, messages: readonly unknown[], part: PicturePart): Promise<Body> {
  return loaded.then(
    (url) => pictureOf(url, messages, part),
    () => ({ type: "text", text: leftOut }),
  );
}

function put(
  messages: readonly unknown[],
  made: ReadonlyMap<PicturePart, Body>,
  added: readonly Body[],
  last: number,
): unknown[] {
  const parts = Map.groupBy(made, ([part]) => part.message);
  return messages.map((message, number) => {
    const changes = parts.get(number);
    const more = number === last ? added : [];
    if (!isRecord(message) || (!changes && more.length === 0)) return message;
    const { content } = message;
    const list: unknown[] = Array.isArray(content)
      ? [...(content as unknown[])]
      : [{ type: "text", text: content ?? "" }];
    for (const [{ at }, part] of changes ?? []) list[at] = part;
    return { ...message, content: [...list, ...more] };
  });
}
