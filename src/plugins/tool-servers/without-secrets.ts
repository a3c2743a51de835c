/**
 * The text without the secrets of the call, because some servers quote them. Values shorter than 4 characters are
 * ignored.
 */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) if (secret.length >= 4) clean = clean.replaceAll(secret, "[redacted]");
  return clean;
}
