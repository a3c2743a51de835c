import { askModel } from "../chat/ask-model.ts";
import { removeChats } from "../chat/conversations/delete-chats.ts";
import { followSettings } from "../documents/retrieval/embedding/spaces.ts";
import { isMailOn, requireMail } from "../mail/mail-server.ts";
import { mailStatements, wakeMail } from "../mail/outbox.ts";
import { newUserDelivery, wakeNewUserDelivery } from "../webhooks/outbox.ts";
import { effectiveSettings } from "./effective-settings.ts";
import { jobHandlers } from "./job-handlers.ts";
import { definitions } from "./settings.ts";
import { sweep } from "./sweep.ts";

/**
 * What lower slices need from higher ones without importing them; passed in each request's services. The order of
 * slices is in ARCHITECTURE.md.
 */
export const registry = {
  /** Every setting there is. */
  definitions,
  /** Stored settings with the environment over them and defaults below. */
  effectiveSettings,
  /** Which handler runs which kind of job. */
  jobHandlers,
  /** Statements that queue the outbound webhook for a new account, and the wake-up after their batch. */
  newUserDelivery,
  wakeNewUserDelivery,
  /** Statements that queue an e-mail, the wake-up after their batch, and whether there is a mail server. */
  mailStatements,
  wakeMail,
  isMailOn,
  requireMail,
  /** Deletes the chats of a person, before the account. */
  removeChats,
  /** Embedding spaces follow the settings. */
  followSettings,
  /** Asks a model and records its use; document extraction reads pictures with it. */
  askModel,
  /** What the timer does every minute. */
  sweep,
};

export type Registry = typeof registry;
