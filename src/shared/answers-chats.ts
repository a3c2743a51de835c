/** What ids of models for embeddings, reranking, speech, moderation and pictures have in common. */
const otherUse =
  /(?:^|[/:_.-])(?:text-)?(?:embed(?:ding)?s?|rerank(?:er|ing)?|whisper|tts|moderation|bge|gte|e5|minilm|dall-e|gpt-image)(?=$|[/:_.\d-])/iu;

/** Kinds of models that answer no chats, as providers name them in `type` or `task`. */
const otherType = /embed|rerank|moderation|speech|audio|transcri|image|video|diffusion/iu;

/** What reads something else and writes text can chat. */
const writesText = /text-to-text$|text-generation/iu;

/** Families of local models that only embed. */
const embeddingFamily = /^(?:nomic-)?bert$|embed/iu;

interface Listed {
  type?: unknown;
  task?: unknown;
  capabilities?: unknown;
  architecture?: unknown;
  details?: unknown;
}

const texts = (value: unknown): string[] | undefined =>
  Array.isArray(value) ? value.filter((each) => typeof each === "string") : undefined;

/** What a provider's list says; undefined if it does not say. */
function listedChat(listed: unknown): boolean | undefined {
  const { type, task, capabilities, architecture, details } = (listed ?? {}) as Listed;
  // OpenRouter's; what writes text answers chats.
  const writes = texts(((architecture ?? {}) as { output_modalities?: unknown }).output_modalities);
  if (writes && writes.length > 0) return writes.includes("text");
  // Local runtimes: `completion`, `embedding`.
  const listedAbilities = texts(capabilities);
  if (listedAbilities && listedAbilities.length > 0)
    return listedAbilities.includes("completion") || !listedAbilities.includes("embedding");
  const { completion_chat: completes } = (capabilities ?? {}) as { completion_chat?: unknown };
  if (typeof completes === "boolean") return completes;
  for (const kind of [type, task])
    if (typeof kind === "string" && otherType.test(kind) && !writesText.test(kind)) return false;
  const { family } = (details ?? {}) as { family?: unknown };
  return typeof family === "string" && embeddingFamily.test(family) ? false : undefined;
}

/**
 * Whether a model can answer in a chat: what an administrator has said (`meta.capabilities.chat`), of the model or of one
 * below it; else what its provider lists; else what its id says. Models for embeddings and the like cannot.
 * @param said `capabilities` of the model and of those below it, the nearest first
 * @param listed entries of providers' lists, in the same order
 * @param id that of the provider
 */
export function answersChats(said: readonly unknown[], listed: readonly unknown[], id: string): boolean {
  for (const capabilities of said) {
    const { chat } = (capabilities ?? {}) as { chat?: unknown };
    if (typeof chat === "boolean") return chat;
  }
  for (const entry of listed) {
    const chat = listedChat(entry);
    if (chat !== undefined) return chat;
  }
  return !otherUse.test(id);
}
