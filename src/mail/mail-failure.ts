import type { MailStep } from "./schema.ts";

/** An e-mail that was not taken. The message is for administrators, in plain words, and holds no secret. */
export class MailFailure extends Error {
  readonly step: MailStep;
  /** Another try is of no use: the server refuses this message for good. */
  readonly isFinal: boolean;

  constructor(
    step: MailStep,
    message: string,
    { isFinal = false, cause }: { isFinal?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.name = "MailFailure";
    this.step = step;
    this.isFinal = isFinal;
  }
}
