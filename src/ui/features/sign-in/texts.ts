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
  pause: (seconds: number) => `Too many tries in a row. You can try again in ${duration(seconds)}.`,
  pauseOver: "You can try again now.",
  again: {
    title: "Sign in again",
    text: "Your session has ended. Sign in to go on exactly where you are; nothing you typed is lost.",
    other: "Use another account",
    action: "Sign in and go on",
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
