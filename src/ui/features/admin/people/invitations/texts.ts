import { inLanguage } from "../../../../languages/admin.ts";
import { locale } from "../../../../lib/language.ts";

const number = new Intl.NumberFormat(locale);

/** Texts of invitations and of links for new passwords. */
export const texts = inLanguage("admin/people/invitations", {
  invite: "Invite",
  card: "Invitations",
  table: "Invitations",
  columns: { who: "For", role: "Role", from: "Invited by", ends: "Ends", state: "State", actions: "Actions" },
  anyone: "Anyone with the link",
  roles: { user: "Member", admin: "Administrator" },
  states: {
    open: "Open",
    void: "Not valid any more",
    used: "Used",
    expired: "Ended",
    revoked: "Taken back",
  },
  usedBy: (name: string) => `Used by ${name}`,
  voidHint:
    "Something that the invitation needs has changed: a group or the organization is gone, or the person who invited may not invite any more.",
  failed: "The invitations couldn't be loaded",
  takeBack: "Take back",
  takeBackOf: (who: string) => ` the invitation for ${who}`,
  takeBackTitle: "Take the invitation back?",
  takeBackText: "Its link stops working immediately.",
  takeBackFailed: "The invitation couldn't be taken back",
  takenBack: "The invitation was taken back.",
  dialog: {
    title: "Invite somebody",
    text: "You get a link that makes one account. People choose their own name and password.",
    email: "E-mail addresses (optional)",
    emailHint: "Each address gets a link that only it can use. Separate them with commas, spaces or lines.",
    emailWrong: "Enter an e-mail address such as ada@harbour.example.",
    tooMany: (most: number) => `At most ${number.format(most)} addresses at once.`,
    refused: (lines: string) => `These addresses were not invited:\n${lines}`,
    reasons: {
      invalid_email: "not an e-mail address",
      email_taken: "has an account already",
      limit_reached: "you have too many open invitations",
    } as Record<string, string>,
    send: "Send the link by e-mail",
    role: "Role",
    organization: "Organization",
    byRules: "As the landing rules say",
    groups: "Groups",
    searchGroups: "Search groups",
    chosen: (count: number) => (count === 0 ? "No group selected" : `${number.format(count)} selected`),
    noGroups: "There are no groups.",
    days: "The link ends after",
    dayCount: (count: number) => (count === 1 ? "1 day" : `${number.format(count)} days`),
    action: (count: number) => (count < 2 ? "Make invitation" : `Make ${number.format(count)} invitations`),
    failed: "The invitation couldn't be made",
    madeTitle: (count: number) =>
      count === 1 ? "The invitation is ready" : `${number.format(count)} invitations are ready`,
    sent: (emails: readonly string[]) =>
      emails.length === 1
        ? `An e-mail with the link is on its way to ${emails[0]}. You can also copy it.`
        : `E-mails with the links are on their way to ${number.format(emails.length)} people. You can also copy the links.`,
    copy: (count: number) =>
      count === 1
        ? "Send this link to the person. It is shown only once, and works once."
        : "Send each link to the person before it. The links are shown only once, and each works once.",
    link: (count: number) => (count === 1 ? "Link" : "Links"),
    done: "Done",
  },
  reset: {
    action: "Link for a new password",
    title: (name: string) => `A new password for ${name}`,
    text: "You get a link with which the person chooses a new password. It works once, for a day. Using it ends all sessions of the account.",
    make: "Make link",
    failed: "The link couldn't be made",
    ready: "Send this link to the person in a secure way. It is shown only once.",
    link: "Link",
    done: "Done",
  },
});
