import { inLanguage } from "../../../languages/app.ts";
import { locale } from "../../../lib/language.ts";

const number = new Intl.NumberFormat(locale);

/** Texts of the second factor: in the settings, and where it is required before anything else. */
export const texts = inLanguage("settings/second-factor", {
  title: "Second factor",
  sub: "A code from an app on your phone, beside your password. Your password alone then lets nobody in.",
  failed: "Your second factor couldn't be loaded",
  required: {
    title: "Set up a second factor",
    sub: "It is required for your account. It takes a minute, and you need an authenticator app on your phone.",
    signOut: "Sign out",
  },
  sso: "You sign in through your identity provider. It decides whether it asks for a second factor.",
  app: {
    title: "Authenticator app",
    off: "Not set up.",
    on: "Signing in with your password asks for a code of the app.",
    since: "Set up",
    password: "Your password",
    start: "Set up",
    startFailed: "The set-up couldn't begin",
    wrongPassword: "That is not your password.",
    scan: "Scan this picture with your authenticator app, then enter the code that it shows.",
    picture: "QR code for your authenticator app",
    secret: "Or type this key into the app",
    code: "Code",
    codeHint: "Six digits.",
    confirm: "Finish",
    confirmFailed: "The set-up couldn't be finished",
    wrongCode: "That code is wrong, or was used already. Wait for the next one.",
    missing: "Enter the code.",
    remove: "Remove",
    removeTitle: "Remove the second factor?",
    removeText: "Your password alone then lets you in again.",
    removed: "The second factor was removed.",
    removeFailed: "The second factor couldn't be removed",
    anyCode: "A code of the app, or a recovery code",
    needed: "A second factor is required for your account, so it can't be removed.",
  },
  recovery: {
    title: "Recovery codes",
    left: (count: number) =>
      count === 0
        ? "No codes are left. Make new ones."
        : count === 1
          ? "One code is left."
          : `${number.format(count)} codes are left.`,
    what: "Each one signs you in once, if you have lost your phone.",
    show: "Keep these codes in a safe place, such as a password manager. They are shown only once.",
    codes: "Recovery codes",
    renew: "Make new codes",
    renewTitle: "Make new recovery codes?",
    renewText: "The codes that you have now stop working.",
    renewFailed: "The codes couldn't be made",
    saved: "I have saved them",
  },
});
