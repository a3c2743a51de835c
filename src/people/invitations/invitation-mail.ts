/** What is needed to word an invitation. */
interface Invited {
  /** Of the service. */
  name: string;
  inviter: string;
  link: string;
  days: number;
}

/** Subject and text of the e-mail with an invitation. */
export function invitationMail({ name, inviter, link, days }: Invited): { subject: string; text: string } {
  return {
    subject: `${inviter} invites you to ${name}`,
    text: `Hello,

${inviter} invites you to ${name}. Open this link to make your account:

${link}

The link works once, and ends after ${days === 1 ? "one day" : `${days} days`}. If you did not expect this e-mail, you can ignore it.
`,
  };
}
