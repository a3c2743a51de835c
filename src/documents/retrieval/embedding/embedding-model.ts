import { anonymous } from "../../../access.ts";
import { type Context, contextWith } from "../../../context.ts";
import { AppError } from "../../../errors.ts";
import { findModel } from "../../../models/catalog/find-model.ts";
import { knownList } from "../../../models/catalog/look-up-list.ts";
import { loadSnapshot } from "../../../models/catalog/catalog-snapshot.ts";
import type { EmbeddingModel } from "./ask-embeddings.ts";
import { edgeModel } from "./edge-model.ts";
import { EmbeddingFailure } from "./embedding-failure.ts";

/**
 * The model of a space: the same one whoever asks, for vectors of two providers cannot be compared.
 * @throws EmbeddingFailure, to be tried again where the model may only be out of sight
 */
export async function findEmbeddingModel(ctx: Context, id: string): Promise<EmbeddingModel> {
  const edge = edgeModel(ctx.edgeModels, id);
  if (edge) return edge;
  const service = contextWith(ctx, { actor: anonymous });
  try {
    const model = await findModel(service, id, { asService: true });
    if (model.kind !== "function") return model;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code !== "model_not_found") throw new EmbeddingFailure("none", error.message, { cause: error });
    const unseen = await unreachable(service);
    if (unseen !== undefined)
      throw new EmbeddingFailure(
        "again",
        `The embedding model ${id} cannot be found while ${unseen} does not respond`,
        {
          cause: error,
        },
      );
    throw new EmbeddingFailure("none", `The embedding model ${id} no longer exists or is switched off`, {
      cause: error,
    });
  }
  throw new EmbeddingFailure("none", `${id} is a function: it supports chats but not embeddings`);
}

/** Name of a connection whose models are not known: one of them may be the one that is looked for. */
async function unreachable(ctx: Context): Promise<string | undefined> {
  const { connections } = await loadSnapshot(ctx);
  return connections.find((connection) => {
    const known = connection.unusable === undefined ? knownList(ctx, connection) : undefined;
    return known ? known.failure !== undefined : connection.unusable === undefined;
  })?.name;
}
