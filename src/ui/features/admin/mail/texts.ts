import { inLanguage } from "../../../languages/admin.ts";
import { locale } from "../../../lib/language.ts";

const number = new Intl.NumberFormat(locale);

/** Texts of the page of the mail server. */
export const texts = inLanguage("admin/mail", {
  title: "E-mail",
  sub: "The mail server that sends invitations and links for new passwords. Without one, administrators copy these links.",
  on: "E-mails are sent.",
  off: "No e-mails are sent: set a mail server and a sender.",
  pending: (count: number) =>
    count === 1 ? "1 e-mail waits to be sent." : `${number.format(count)} e-mails wait to be sent.`,
  failed: "The settings couldn't be loaded",
  stateFailed: "The state couldn't be loaded",
  server: { title: "Mail server", sub: "Save before you test." },
  password: {
    title: "Password",
    sub: "For the user name above. It is stored encrypted and never shown.",
    label: "Password",
    set: "A password is stored. Enter a new one to replace it.",
    none: "No password is stored.",
    locked: "Set by the environment (SMTP_PASSWORD).",
    save: "Save password",
    remove: "Remove password",
    saved: "The password was saved.",
    removed: "The password was removed.",
    failed: "The password couldn't be saved",
    changes: "password",
  },
  test: {
    title: "Test",
    sub: "Sends one e-mail now, with the settings that are saved.",
    to: "Recipient",
    action: "Send test e-mail",
    wrong: "Enter an e-mail address such as ada@harbour.example.",
    failed: "The test couldn't be made",
    sent: (to: string) =>
      `The mail server took the message for ${to}. Look into the mailbox, and into its spam folder.`,
    notSent: "The e-mail was not sent",
    conversation: "The whole conversation",
    parley: "Parley",
    server: "Server",
  },
  failures: {
    title: "Not sent",
    sub: "E-mails of the last seven days that were given up.",
    kinds: { invitation: "Invitation", password_reset: "New password" },
  },
});
