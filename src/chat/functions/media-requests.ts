import { viewOf } from "../../documents/files/file-view.ts";
import { queryCollections } from "../../documents/retrieval/query-collections.ts";
import { queryCollection } from "../../documents/retrieval/schema.ts";
import { editImages, makeImages } from "../../images/make-images.ts";
import { requireImages } from "../../images/may-make-images.ts";
import { imageEdit, imageRequest } from "../../images/schema.ts";
import { loadSourceImages } from "../../images/source-images.ts";
import { attachPage, readAddress } from "../../web/pages/attach-page.ts";
import { pageToAttach, webSearchRequest } from "../../web/schema.ts";
import { answerSearch } from "../../web/search/answer-search.ts";
import { isStored } from "../events/message-items.ts";
import type { CapabilityScope, Handler } from "./capabilities.ts";
import { readArguments } from "./request-arguments.ts";

/**
 * Pictures, web search and passages of documents: what the person for whom the plugin runs may have, with the model, the provider and the
 * keys of the service. Quotas and permissions are those of the person.
 */
export const mediaRequests: Readonly<Record<string, Handler>> = {
  "image.create": (ctx, args, scope) => makeImages(ctx, readArguments(imageRequest, args), placeOf(scope)),
  async "image.edit"(ctx, args, scope) {
    const { image, ...wanted } = readArguments(imageEdit, args);
    requireImages(ctx);
    const sources = await loadSourceImages(ctx, typeof image === "string" ? [image] : image);
    return editImages(ctx, wanted, sources, placeOf(scope));
  },
  "web.search": (ctx, args, { signal }) => answerSearch(ctx, readArguments(webSearchRequest, args).queries, signal),
  async "web.read"(ctx, args, { signal }) {
    const { url } = readArguments(pageToAttach, args);
    return readAddress(ctx, url, signal);
  },
  async "web.attach"(ctx, args, { signal }) {
    const { url, collection_name: name } = readArguments(pageToAttach, args);
    return viewOf(await attachPage(ctx, { url, knowledgeId: name || undefined, signal }));
  },
  async "collection.query"(ctx, args, { signal }) {
    const { collection_names: names, ...asked } = readArguments(queryCollection, args);
    return queryCollections(ctx, { names, ...asked }, signal);
  },
};

/** Pictures belong to the chat, as other files that a plugin makes. */
function placeOf({ place: { chatId }, signal }: CapabilityScope) {
  return { chatId: isStored(chatId) ? chatId : undefined, signal };
}
