/** The text without the secrets that went out with the call: some servers quote them. Shorter than 4 characters are none. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) if (secret.length >= 4) clean = clean.replaceAll(secret, "[redacted]");
  return clean;
}
