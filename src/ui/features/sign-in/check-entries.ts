import { texts } from "./texts.ts";

export interface Entries {
  name: string;
  email: string;
  password: string;
}

/** What is wrong with an entry, by field; empty when nothing is. The service has the last word. */
export function checkEntries(kind: "sign-in" | "sign-up", entries: Entries): Partial<Entries> {
  const wrong: Partial<Entries> = {};
  if (!/^[^\s@]+@[^\s@]+$/.test(entries.email.trim())) wrong.email = texts.missing.email;
  if (kind === "sign-in") {
    if (entries.password === "") wrong.password = texts.missing.password;
    return wrong;
  }
  if (entries.name.trim() === "") wrong.name = texts.missing.name;
  if (entries.password.length < 8) wrong.password = texts.missing.newPassword;
  else if (new TextEncoder().encode(entries.password).length > 1024) wrong.password = texts.missing.longPassword;
  return wrong;
}
