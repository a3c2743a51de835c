import { inLanguage } from "../../languages/app.ts";
import { locale } from "../../lib/language.ts";

/** Texts of the pages before the app. */
export const texts = inLanguage("sign-in", {
  signIn: {
    title: "Sign in",
    action: "Sign in",
    other: "New here?",
    otherAction: "Create an account",
    failed: "Sign-in failed",
    wrong: "Wrong e-mail or password.",
    closed: "Sign-in with a password is switched off. Ask your administrator how to sign in.",
    signedOut: "You are signed out.",
    newPassword: "Your new password is set. Sign in with it.",
    forgotten: "Forgot your password?",
  },
  signUp: {
    title: "Create your account",
    first: "Create the first account",
    firstSub: "It becomes the administrator account.",
    action: "Create account",
    other: "Already have an account?",
    otherAction: "Sign in",
    failed: "Your account couldn't be created",
    closed: "Only administrators can create accounts. Ask an administrator, or sign in if you have an account.",
  },
  /** Where signing in with the password asks for a second factor. */
  code: {
    text: "Enter the code of your authenticator app, or one of your recovery codes.",
    label: "Code",
    missing: "Enter the code.",
    wrong: "That code is wrong, or was used already. Wait for the next one.",
    back: "Use another account",
  },
  passkey: {
    action: "Sign in with a passkey",
    use: "Use a passkey",
    orCode: "Confirm with a passkey, or enter a code of your authenticator app or one of your recovery codes.",
    orRecovery: "Confirm with a passkey, or enter one of your recovery codes.",
    recoveryOnly: "Passkeys can't be used in this browser or at this address. Enter one of your recovery codes.",
    wrong: "This passkey doesn't work here. It may have been removed. Sign in in another way.",
    cancelled: "Nothing was confirmed. Try again, or sign in in another way.",
    unusable: "The passkey can't be used in this browser or at this address. Sign in in another way.",
  },
  join: {
    title: "Join",
    from: (name: string) => `${name} invites you to make an account.`,
    fromTo: (name: string, organization: string) => `${name} invites you to join ${organization}.`,
    action: "Create account",
    failed: "Your account couldn't be created",
    loading: "Looking at the invitation",
    noToken: "This address is not complete. Open the whole link of the invitation.",
    overTitle: "This invitation can't be used",
    lookFailed: "The invitation couldn't be loaded",
    onlyFor: "The invitation is for this address.",
    signedInAs: (email: string) => `You are signed in as ${email}. Sign out first to make another account.`,
    toApp: "Go to Parley",
    noWay: "No way to sign in is switched on. Ask your administrator.",
  },
  forgotten: {
    title: "Forgot your password?",
    sub: "Enter your e-mail address. If it has an account with a password, you get a link to choose a new one.",
    action: "Send link",
    failed: "The link couldn't be sent",
    sent: (email: string) =>
      `If ${email} has an account with a password, an e-mail with a link is on its way. The link works for one hour.`,
    off: "No e-mails can be sent from here. Ask an administrator for a link to choose a new password.",
    back: "Back to sign-in",
  },
  newPassword: {
    title: "Choose a new password",
    sub: (email: string) => `For ${email}. All sessions of the account end.`,
    field: "New password",
    action: "Set password",
    failed: "The password couldn't be set",
    lookFailed: "The link couldn't be checked",
    overTitle: "This link can't be used",
    noToken: "This address is not complete. Open the whole link.",
    again: "Ask for a new link",
  },
  fields: {
    name: "Name",
    email: "E-mail",
    password: "Password",
    passwordHint: "At least 8 characters. A few words are easier to remember than symbols.",
  },
  missing: {
    name: "Enter your name.",
    email: "Enter an e-mail address such as ada@harbour.example.",
    password: "Enter your password.",
    newPassword: "Use at least 8 characters.",
    longPassword: "Use at most 1,024 bytes.",
  },
  sso: {
    with: (name: string) => `Continue with ${name}`,
    going: (name: string) => `Opening ${name}`,
    newTab: " in a new tab",
    or: "or",
    onItsWay: (name: string) => `Opening ${name}.`,
    stay: "Stay on this page",
    waiting: "Sign in there, then come back to this tab. It continues automatically.",
    failed: "Sign-in failed",
    unknown: "Sign-in with the provider failed. Try again. If it keeps failing, tell your administrator.",
    /** Why signing in with a provider failed, by the code in the address, and what to do next. */
    errors: {
      sso_denied:
        "The provider refused the sign-in, or you cancelled it. Try again, and allow access when you are asked.",
      sso_expired: "The sign-in took too long, or the page was opened twice. Start again from here.",
      sso_no_account:
        "You don't have an account yet, and signing in doesn't create one. Ask your administrator to add you.",
      sso_email_taken:
        "An account with your e-mail address already exists and signs in another way. Sign in as you did before, or ask your administrator to link the accounts.",
      sso_email_missing:
        "The provider didn't send your e-mail address, which is required. Ask your administrator to change this at the provider.",
      sso_email_unverified: "Your e-mail address isn't verified at the provider yet. Verify it there, then try again.",
      sso_domain_not_allowed:
        "The domain of your e-mail address isn't allowed. Use your work account, or ask your administrator.",
      sso_account_inactive: "Your account is deactivated. Ask your administrator to activate it again.",
      sso_organization_inactive: "Your organization is switched off. Ask your administrator about it.",
      sso_other_invitation:
        "The invitation is for another e-mail address. Sign in with the account that it was sent to, or ask for an invitation to this one.",
      sso_role_not_allowed: "None of your roles is allowed to use this service. Ask your administrator for access.",
      sso_provider_failed:
        "The provider couldn't be reached or sent an invalid response. Try again later. If it keeps failing, tell your administrator. The reason is in the service's log.",
    } as Record<string, string>,
  },
  pause: (seconds: number) => `Too many attempts. You can try again in ${duration(seconds)}.`,
  pauseOver: "You can try again now.",
  again: {
    title: "Sign in again",
    text: "Your session has ended. Sign in to continue where you are. Nothing you typed is lost.",
    other: "Use another account",
    action: "Sign in and continue",
    noForm: "Your session has ended. Sign in in a new tab to continue here. Nothing you typed is lost.",
  },
  waiting: {
    title: "Your account is waiting for approval",
    text: "An administrator has to approve your account first. This page then continues automatically.",
    contact: (name: string) => `You can ask ${name}:`,
    check: "Check now",
    checked: "Not approved yet. Checked just now.",
    signOut: "Sign out",
    signedInAs: (email: string) => `Signed in as ${email}`,
    failed: "The approval couldn't be checked",
  },
});

function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  const part = (value: number, unit: string) =>
    new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(value);
  return [minutes > 0 && part(minutes, "minute"), (rest > 0 || minutes === 0) && part(rest, "second")]
    .filter(Boolean)
    .join(" ");
}
