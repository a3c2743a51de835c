import type { MessageAuthor } from "../schema.ts";

/** The author name of posts of deleted webhooks. */
const deletedWebhook = "Deleted webhook";

/** The address of the picture; with a face that of its time. Nothing is there after the webhook was deleted. */
export function webhookImagePath(webhookId: string, faceId?: string): string {
  const path = `/api/v1/channels/webhooks/${webhookId}/profile/image`;
  return faceId === undefined ? path : `${path}?face=${faceId}`;
}

/**
 * The displayed author of a post.
 * @param post its row with the name of its face: null if the webhook was deleted with its faces
 */
export function webhookAuthor(post: { webhookId: string; faceId: string; name: string | null }): MessageAuthor {
  return {
    id: post.webhookId,
    name: post.name ?? deletedWebhook,
    role: "webhook",
    profile_image_url: webhookImagePath(post.webhookId, post.faceId),
    is_deleted: post.name === null,
  };
}
