/** Who uses a prompt, as far as prompts may say it. */
export interface PromptUser {
  name: string;
  email: string;
  bio?: string | null;
  gender?: string | null;
  /** YYYY-MM-DD */
  date_of_birth?: string | null;
}

/** Variables that are filled in automatically, named as in Open WebUI. */
const systemNames = new Set([
  "CLIPBOARD",
  "CURRENT_DATE",
  "CURRENT_DATETIME",
  "CURRENT_TIME",
  "CURRENT_TIMEZONE",
  "CURRENT_WEEKDAY",
  "USER_NAME",
  "USER_EMAIL",
  "USER_BIO",
  "USER_GENDER",
  "USER_BIRTH_DATE",
  "USER_AGE",
  "USER_LANGUAGE",
]);

export function isSystemName(name: string): boolean {
  return systemNames.has(name);
}

/**
 * What is known without asking, as of this moment. What is not known of the person is left out: it is asked for then.
 * @param language of the person, such as `en-GB`
 */
export function systemValues(user: PromptUser, language: string, now = new Date()): Map<string, string> {
  const two = (value: number): string => String(value).padStart(2, "0");
  const date = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  const time = `${two(now.getHours())}:${two(now.getMinutes())}`;
  const values: [string, string | null | undefined][] = [
    ["CURRENT_DATE", date],
    ["CURRENT_TIME", time],
    ["CURRENT_DATETIME", `${date} ${time}`],
    ["CURRENT_TIMEZONE", Intl.DateTimeFormat().resolvedOptions().timeZone],
    ["CURRENT_WEEKDAY", new Intl.DateTimeFormat("en", { weekday: "long" }).format(now)],
    ["USER_NAME", user.name],
    ["USER_EMAIL", user.email],
    ["USER_BIO", user.bio],
    ["USER_GENDER", user.gender],
    ["USER_BIRTH_DATE", user.date_of_birth],
    ["USER_AGE", ageOf(user.date_of_birth, now)],
    ["USER_LANGUAGE", language],
  ];
  return new Map(values.filter((entry): entry is [string, string] => typeof entry[1] === "string" && entry[1] !== ""));
}

function ageOf(born: string | null | undefined, now: Date): string | undefined {
  const [year, month, day] = (born ?? "").split("-").map(Number);
  if (!year || !month || !day) return undefined;
  const isBefore = now.getMonth() + 1 < month || (now.getMonth() + 1 === month && now.getDate() < day);
  const age = now.getFullYear() - year - (isBefore ? 1 : 0);
  return age >= 0 ? String(age) : undefined;
}
