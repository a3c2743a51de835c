import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { editImages, makeImages } from "../../images/make-images.ts";
import type { ImageList } from "../../images/schema.ts";
import { loadSourceImages } from "../../images/source-images.ts";
import { textsIn } from "../../lib/json.ts";
import type { AttachedTool, ToolOutcome, ToolScope } from "../../plugins/tool.ts";
import { isStored } from "../events/message-items.ts";
import { shownImage } from "./shown-image.ts";

/** Pictures of one answer. */
const maxMade = 4;

const source = { kind: "built-in", id: "images", name: "Pictures" } as const;
const prompt = { type: "string", description: "What the picture shows, in detail" };

/** The tools with which a model makes and changes pictures in this turn. Names as in Open WebUI. */
export function imageTools(ctx: Context): AttachedTool[] {
  let made = 0;

  async function attempt(scope: ToolScope, work: () => Promise<ImageList>): Promise<ToolOutcome> {
    if (made >= maxMade) return failure(`Only ${maxMade} pictures can be made in one answer`);
    made += 1;
    try {
      const images = await work();
      const list = images.map(({ url }) => url);
      const message = "The person sees the picture below your answer. Do not repeat its address.";
      return { ok: true, content: JSON.stringify({ message, images: list }), files: images.map(shownImage) };
    } catch (error) {
      if (scope.signal.aborted) return failure("The call was cancelled");
      if (error instanceof AppError) return failure(error.message);
      ctx.log.error("a tool for pictures failed", { error });
      return failure("Pictures cannot be made now");
    }
  }
  const placeOf = ({ chatId, signal }: ToolScope) => ({ chatId: isStored(chatId) ? chatId : undefined, signal });

  const make: AttachedTool = {
    spec: {
      name: "generate_image",
      description: "Make a picture from a description. The person sees it below your answer.",
      parameters: { type: "object", properties: { prompt }, required: ["prompt"] },
    },
    source,
    async call({ prompt: wanted }, scope) {
      if (typeof wanted !== "string" || wanted.trim() === "") return failure("prompt: a text is needed");
      return attempt(scope, () => makeImages(ctx, { prompt: wanted.slice(0, 8000) }, placeOf(scope)));
    },
  };
  const edit: AttachedTool = {
    spec: {
      name: "edit_image",
      description: "Change pictures of this conversation, by their addresses (/api/v1/files/...).",
      parameters: {
        type: "object",
        properties: {
          prompt,
          image_urls: { type: "array", items: { type: "string" }, description: "Addresses of the pictures to change" },
        },
        required: ["prompt", "image_urls"],
      },
    },
    source,
    async call({ prompt: wanted, image_urls: urls }, scope) {
      const addresses = textsIn(urls).slice(0, maxMade);
      if (typeof wanted !== "string" || wanted.trim() === "") return failure("prompt: a text is needed");
      if (addresses.length === 0) return failure("image_urls: at least one address is needed");
      return attempt(scope, async () => {
        const sources = await loadSourceImages(ctx, addresses);
        return editImages(ctx, { prompt: wanted.slice(0, 8000) }, sources, placeOf(scope));
      });
    },
  };
  return ctx.settings.ENABLE_IMAGE_EDIT ? [make, edit] : [make];
}

function failure(message: string): { ok: false; message: string } {
  return { ok: false, message };
}
