/** What the pages before the app say. */
export const texts = {
  signIn: {
    title: "Sign in",
    action: "Sign in",
    other: "New here?",
    otherAction: "Create an account",
    failed: "You are not signed in",
    wrong: "That e-mail and password do not belong together.",
    closed: "Sign-in with a password is switched off here. Ask your administrator how to get in.",
    signedOut: "You are signed out.",
  },
  signUp: {
    title: "Create your account",
    first: "Create the first account",
    firstSub: "It becomes the administrator of this Parley.",
    action: "Create account",
    other: "Have an account?",
    otherAction: "Sign in",
    failed: "Your account was not created",
    closed: "New accounts are made by an administrator here. Ask yours, or sign in if you have one.",
  },
  fields: {
    name: "Name",
    email: "E-mail",
    password: "Password",
    passwordHint: "At least 8 characters. A few words are easier to remember than signs.",
  },
  missing: {
    name: "Say how you want to be called.",
    email: "An e-mail address looks like ada@harbour.example.",
    password: "Enter your password.",
    newPassword: "A password has at least 8 characters.",
    longPassword: "A password has at most 1,024 bytes.",
  },
  sso: {
    with: (name: string) => `Continue with ${name}`,
    going: (name: string) => `Going to ${name}`,
    newTab: " in a new tab",
    or: "or",
    onItsWay: (name: string) => `You are on your way to ${name}.`,
    stay: "Stay on this page",
    waiting: "Sign in there, then come back to this tab. It goes on by itself.",
    failed: "You are not signed in",
    unknown: "Signing in elsewhere did not work. Try again; if it stays like this, tell your administrator.",
    /** Why signing in with a provider failed, by the code in the address, and what to do next. */
    errors: {
      sso_denied:
        "The other side did not let you in, or you cancelled there. Try again, and allow it when you are asked.",
      sso_expired: "That took too long, or the page was opened a second time. Start again from here.",
      sso_no_account:
        "You have no account here yet, and signing in does not make one. Ask your administrator to add you.",
      sso_email_taken:
        "An account with your e-mail address exists already, and it belongs to another way of signing in. Sign in as you did before, or ask your administrator to join the two.",
      sso_email_missing:
        "The other side did not tell your e-mail address, which is needed here. Ask your administrator to have it sent along.",
      sso_email_unverified:
        "Your e-mail address is not confirmed on the other side yet. Confirm it there, then try again.",
      sso_domain_not_allowed:
        "E-mail addresses like yours are not let in here. Use your account at work, or ask your administrator.",
      sso_account_inactive: "Your account here is deactivated. Ask your administrator to activate it again.",
      sso_organization_inactive:
        "Your organization is switched off here at the moment. Ask your administrator about it.",
      sso_role_not_allowed:
        "Your account is known, but none of your roles may use this service. Ask your administrator for one.",
      sso_provider_failed:
        "The other side could not be reached or gave an answer that makes no sense. Try again in a moment; if it stays like this, tell your administrator. The reason is in the service's log.",
    } as Record<string, string>,
  },
  pause: (seconds: number) => `Too many tries in a row. You can try again in ${duration(seconds)}.`,
  pauseOver: "You can try again now.",
  again: {
    title: "Sign in again",
    text: "Your session has ended. Sign in to go on exactly where you are; nothing you typed is lost.",
    other: "Use another account",
    action: "Sign in and go on",
    noForm: "Your session has ended. Sign in in a new tab to go on here; nothing you typed is lost.",
  },
  waiting: {
    title: "Your account waits for its activation",
    text: "An administrator has to let you in first. This page goes on by itself as soon as that has happened.",
    contact: (name: string) => `You can ask ${name}:`,
    check: "Check now",
    checked: "Not yet. Checked just now.",
    signOut: "Sign out",
    signedInAs: (email: string) => `Signed in as ${email}`,
    failed: "Whether you were let in could not be checked",
  },
};

function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  const part = (value: number, unit: string) =>
    new Intl.NumberFormat(undefined, { style: "unit", unit, unitDisplay: "long" }).format(value);
  return [minutes > 0 && part(minutes, "minute"), (rest > 0 || minutes === 0) && part(rest, "second")]
    .filter(Boolean)
    .join(" ");
}
