const placeholder = "[redacted]";

/** Patterns of keys, which no message needs. */
const keyShapes = [
  /\b(?:sk|pk|rk|gsk|xai|pplx|hf|fw|tgp|nvapi|csk)[-_][A-Za-z0-9*_-]{8,}/g,
  /\bAIza[\w*-]{20,}/g,
  /\b(?:Bearer|Basic)\s+[\w.~+/*=-]{8,}/gi,
  // A partly masked key still names its beginning and end.
  /[\w-]*\*{3,}[\w-]+|[\w-]+\*{3,}[\w-]*/g,
];

/**
 * The text without the connection's secrets and without anything that looks like a key. Upstreams quote the key that
 * they received ("Incorrect API key provided: ..."), and a caller must not learn an administrator's key.
 * @param secrets keys and secret header values of the connection; values shorter than 4 characters are ignored
 */
export function redactSecrets(text: string, secrets: readonly string[] = []): string {
  let result = text;
  for (const secret of secrets) {
    if (secret.length < 4) continue;
    for (const form of new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])) {
      result = result.replaceAll(form, placeholder);
    }
  }
  for (const shape of keyShapes) result = result.replace(shape, placeholder);
  return result;
}
