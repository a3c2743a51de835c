import type { Context } from "../../../context.ts";
import { AppError } from "../../../errors.ts";
import { drain } from "../../../http/body.ts";
import { boundaryOf, readFormParts } from "../../../http/form-parts.ts";
import type { Place } from "../../../lib/fair-line.ts";
import { utf8Text } from "../../../lib/utf8.ts";
import { checkLinkTarget, readLinkTarget } from "../../knowledge/link-file.ts";
import { cleanName } from "../clean-name.ts";
import type { ViewRow } from "../file-view.ts";
import { type ArrivedFile, forgetFile, formOverhead, type HeldPlace, holdPlace, takeFile } from "./arriving-file.ts";
import { readMetadata } from "./read-metadata.ts";
import { storeFile } from "./store-file.ts";
import { takeUploadPlace } from "./upload-line.ts";
import { fileLimit, refuseKind, requireUploader } from "./upload-rules.ts";

const maxFieldBytes = 100_000;

/**
 * Receives a file as a form: part `file`, and a part `metadata` (JSON) before or after it.
 * @throws AppError `forbidden`, `payload_too_large` and what `takeFile` throws before all of it is stored, `unsupported_media_type`, `bad_request`
 *   for an unreadable form or one without a file, and errors of the metadata
 */
export async function uploadForm(ctx: Context, request: Request, process: boolean): Promise<ViewRow> {
  const user = requireUploader(ctx);
  const limit = fileLimit(ctx.settings);
  const reader = request.body?.getReader();
  let arrived: ArrivedFile | undefined;
  let place: HeldPlace | undefined;
  let isRead = false;
  let turn: Place | undefined;
  try {
    const boundary = boundaryOf(request.headers.get("content-type") ?? "");
    if (!reader || boundary === undefined)
      throw new AppError("bad_request", "Expected a form (multipart/form-data) with a part named file");
    const length = Number(request.headers.get("content-length") ?? 0);
    if (length > limit.bytes + formOverhead) throw limit.refusal();
    turn = await takeUploadPlace(ctx.environment, user.id, request.signal);
    // Of a large one not a byte is taken before there is room.
    if (length > formOverhead) {
      place = holdPlace(ctx, user, { expected: length, process });
      await place.known;
    }
    isRead = true;
    let fields: string | undefined;
    for await (const part of readFormParts(reader, boundary)) {
      if (part.name === "file") {
        if (arrived) throw new AppError("bad_request", "Only one file per upload", { param: "file" });
        const filename = cleanName(part.filename ?? "");
        refuseKind(ctx.settings, filename);
        place ??= holdPlace(ctx, user, { expected: length, process });
        const said = { filename, contentType: part.contentType };
        arrived = await takeFile(ctx, user, place, said, part.body, length > 0 ? length : undefined);
      } else if (part.name === "metadata") fields = await readField(part.body);
    }
    if (!arrived) throw new AppError("bad_request", "The form has no part named file", { param: "file" });
    const meta = readMetadata(fields, arrived.sha256);
    const target = readLinkTarget(meta);
    if (target) await checkLinkTarget(ctx, target);
    return await storeFile(ctx, user, { arrived, meta, process, target });
  } catch (error) {
    if (place && place.refusal.error === undefined) await forgetFile(ctx, place.id);
    // The rest is read so that the sender receives the error. A sender that waits for `100 Continue` has sent nothing yet.
    if (error instanceof AppError && (isRead || !request.headers.has("expect"))) await drain(reader);
    throw error;
  } finally {
    turn?.free();
  }
}

async function readField(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (length > maxFieldBytes)
      throw new AppError("payload_too_large", "The metadata is too large", { param: "metadata" });
    pieces.push(piece.slice());
  }
  return utf8Text(Buffer.concat(pieces));
}
