import { Attachments } from "../chat/attachments/attachments.svelte.ts";

/** What is attached to the message for the channel, and to the reply in the thread beside it. */
export const channelAttachments = new Attachments();
export const threadAttachments = new Attachments();
