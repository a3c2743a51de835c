import { inLanguage } from "../../languages/app.ts";

/** Texts of the pages of a person's own account. */
export const texts = inLanguage("settings", {
  back: "Back to chats",
  group: "Settings",
  /** Its page has texts of its own. */
  keys: { rail: "API keys" },
  ownTools: "Tools you write",
  /** Its page has texts of its own. */
  connections: "Connections",
  /** Its page has texts of its own. */
  files: "Files",
  toolServers: "Tool servers",
  /** Its page has texts of its own. */
  device: "This device",
  instructions: "Instructions",
  /** Its page has texts of its own. */
  voice: "Voice",
  memories: "Memories",
  /** Its page has texts of its own. */
  notifications: "Notifications",
  /** Its page has texts of its own. */
  usage: "Usage",
  /** Its page has texts of its own. */
  storage: "Storage",
  /** Its page has texts of its own. */
  data: "Your data",
  /** Its page has texts of its own. */
  secondFactor: "Second factor",
  profile: {
    rail: "Profile",
    title: "Profile",
    sub: "How you appear to other people.",
    card: "You",
    name: "Name",
    nameMissing: "Enter a name, so people know who you are.",
    email: "E-mail",
    emailHint: "You sign in with this address. An administrator can change it.",
    role: "Role",
    roles: { admin: "Administrator", user: "Member", pending: "Waiting" },
    picture: "Picture",
  },
  password: {
    rail: "Password",
    title: "Password",
    sub: "A new password ends all your other sessions.",
    card: "Change the password",
    current: "Current password",
    next: "New password",
    hint: "At least 8 characters. A few words are easier to remember than symbols.",
    action: "Change password",
    changed: "Your password was changed. Your other sessions have ended.",
    failed: "The password couldn't be changed",
    wrong: "That is not your current password.",
    short: "Use at least 8 characters.",
    long: "Use at most 1,024 bytes.",
    same: "The new password is the same as the current one.",
    missing: "Enter your current password.",
    off: "Passwords are managed outside Parley. Ask an administrator how to change yours.",
    changes: "password",
  },
  appearance: {
    rail: "Appearance",
    title: "Appearance",
    sub: "For this browser only. Changes apply immediately.",
    theme: "Theme",
    language: "Language",
    languageHint:
      "Of menus, buttons and messages. Models answer in the language that you write in. Changing it loads the page again.",
    options: {
      system: { name: "System", text: "Follows the appearance of this device." },
      light: { name: "Light", text: "Dark text on a light background." },
      dark: { name: "Dark", text: "Light text on a dark background." },
    },
  },
  sessions: {
    rail: "Sessions",
    title: "Sessions",
    sub: "Every browser and app that is signed in to your account. End the ones you don't recognize.",
    card: "Signed in now",
    current: "This browser",
    unknown: "Unknown app",
    agent: (browser: string, system: string) => `${browser} on ${system}`,
    signedIn: "Signed in",
    lastUsed: "Last used",
    ends: "Expires",
    never: "Doesn't expire",
    end: "End",
    endOf: (name: string) => ` the session of ${name}`,
    endAll: (count: number) => (count === 1 ? "End the other session" : `End ${count} other sessions`),
    endAllTitle: "End all other sessions?",
    endAllText: "Every other browser and app is signed out immediately. Text that was not sent is kept there.",
    ended: (name: string) => `The session of ${name} has ended.`,
    endedAll: "All other sessions have ended.",
    endFailed: "The session couldn't be ended",
    failed: "Your sessions couldn't be loaded",
    only: "You are not signed in anywhere else.",
  },
  signIns: {
    card: "Recent sign-ins",
    failedToLoad: "Your recent sign-ins couldn't be loaded",
    none: "No sign-ins have been recorded yet.",
    unknown: "Unknown app",
    kinds: { signed_in: "Signed in", signed_out: "Signed out", failed: "Wrong password" },
    from: (address: string) => `from ${address}`,
    attempts: (count: number) => (count === 1 ? "1 attempt" : `${count} attempts`),
  },
});
