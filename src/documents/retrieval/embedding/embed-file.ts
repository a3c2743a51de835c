import type { Services } from "../../../context.ts";
import { serviceContext } from "../../../people/auth/service-context.ts";
import { EmbeddingFailure } from "./embedding-failure.ts";
import { fillSpace } from "./fill-space.ts";
import type { FileText } from "./has-vectors.ts";
import { followSettings } from "./spaces.ts";

export interface EmbedOptions {
  signal: AbortSignal;
  /** Called with the number of passages whose vectors have just been stored. */
  onStored?: (count: number) => void;
}

/**
 * Gives all passages of a text their vectors in the space that serves; where its model fails for good, in the one that is being
 * built to take its place. Goes on where an earlier try has ended. Without a space that serves there is nothing to do: what is
 * being built is filled by a job of its own.
 * @throws EmbeddingFailure; the signal's reason when that ends it
 */
export async function embedFile(services: Services, text: FileText, options: EmbedOptions): Promise<void> {
  const ctx = await serviceContext(services);
  const { serving, building } = await followSettings(ctx);
  if (!serving) return;
  try {
    await fillSpace(ctx, serving, text, options);
  } catch (error) {
    const mayReplace = error instanceof EmbeddingFailure && error.remedy === "none" && building !== undefined;
    if (!mayReplace) throw error;
    services.log.info("a text is embedded for the next index only: the model of the current index fails", {
      file: text.fileId,
      error: error.message,
    });
    await fillSpace(ctx, building, text, options);
  }
}
