import type { MessageAuthor } from "../schema.ts";

/** What stands above the posts of webhooks that are gone. */
export const deletedWebhook = "Deleted webhook";

/** Where the picture is served; with a face the one of that moment, or initials once the webhook is gone. */
export function webhookImagePath(webhookId: string, faceId?: string): string {
  const path = `/api/v1/channels/webhooks/${webhookId}/profile/image`;
  return faceId === undefined ? path : `${path}?face=${faceId}`;
}

/**
 * Who is shown above a post.
 * @param post as its row says it, and the name of its face: null when the webhook is gone, and its faces with it
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
