const hidden = "…";

/** Names behind which a secret stands, in JSON, forms, headers and query strings. */
const secretNames =
  "(?:proxy-)?authorization|(?:set-)?cookie|pass(?:word|wd|phrase|code)?|pwd|[\\w-]{0,30}secret[\\w-]{0,30}|[\\w-]{0,30}token|[\\w-]{0,30}api[-_]?key|[\\w-]{0,30}private[-_]?key|access[-_]?key(?:[-_]?id)?|credentials?|jwt|assertion|session[-_]?id";
/** These are secrets in query strings and forms, and ordinary words elsewhere. */
const queryNames = "code|state|nonce|otp|pin|sid|sig|signature|key|auth|ticket|code_verifier";

/** In the order in which they are applied: what holds others comes first. */
const patterns: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // Drizzle's errors name the values of a statement: what people wrote, hashes, sealed keys.
  [/\nparams: [^]*?(?=\n {4}at |$)/g, `\nparams: ${hidden}`],
  [/-----BEGIN [A-Z ]+-----[^]*?(?:-----END [A-Z ]+-----|$)/g, hidden],
  // Users, paths and queries of addresses elsewhere may be secrets: those of webhooks are.
  [/\b((?!file:)[a-z][a-z\d+.-]{1,20}:\/\/)(?:[^\s/"'<>]*@)?([^\s/?#"'<>)@]+)[/?#][^\s"'<>)]*/gi, `$1$2/${hidden}`],
  [/\b((?!file:)[a-z][a-z\d+.-]{1,20}:\/\/)[^\s/"'<>]*@/gi, `$1${hidden}@`],
  [
    new RegExp(
      String.raw`\b(${secretNames})((?:\\*["'])?\s*[:=]\s*)(?:\\*"[^"]*|\\*'[^']*|(?<==)[^\s"'&,;}]+|(?<=:\s*)[^\r\n"',}]+)`,
      "gi",
    ),
    `$1$2${hidden}`,
  ],
  [new RegExp(String.raw`\b(${queryNames})=[^\s"'&,;}]+`, "gi"), `$1=${hidden}`],
  [/\b(Bearer|Basic)\s+[\w+/=.~-]{6,}/gi, `$1 ${hidden}`],
  [/\beyJ[\w-]{5,}\.[\w-]+(?:\.[\w-]*)?/g, hidden],
  // Keys of well-known services begin in their own way.
  [
    /\b(?:(?:sk|pk|rk|whsec|xox[a-z]|gh[a-z]|github_pat|glpat|hf|gsk|npm|pypi|shpat|dop_v1|r8|nvapi|pplx|tvly|SG)[-_.]|AKIA|ASIA|AIza|ya29\.)[\w.-]{12,}/g,
    hidden,
  ],
];

/** Long and mixed: no word, and no name of a function or a model. */
const random = /(?<![\w+=~-])[\w+=~-]{24,}/g;
const id = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** In names of files, such as those of backups. */
const time = /\d{4}-\d\d-\d\dT[\d-]+Z/g;

function isRandom(found: string): boolean {
  const text = found.replaceAll(time, "");
  if (id.test(text) || !/\d/.test(text) || !/[a-z]/i.test(text)) return false;
  return /[\w+=~]{24,}/.test(text) || (/[a-z]/.test(text) && /[A-Z]/.test(text));
}

/** V8 quotes what it could not read. */
function withoutQuote(text: string): string {
  const end = text.indexOf(" is not valid JSON");
  const begin = text.indexOf('"');
  return end === -1 || begin === -1 || begin > end ? text : `${text.slice(0, begin)}${hidden}${text.slice(end)}`;
}

/** A text for the log without what looks like a secret. */
export function hideSecrets(text: string): string {
  const known = patterns.reduce((rest, [pattern, other]) => rest.replaceAll(pattern, other), withoutQuote(text));
  return known.replaceAll(random, (found) => (isRandom(found) ? hidden : found));
}

const secretField = new RegExp(`^(?:${secretNames})$`, "i");

/** Whether a field of this name is a secret, whatever is in it. */
export function isSecretName(name: string): boolean {
  return secretField.test(name);
}
