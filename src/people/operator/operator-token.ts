import { newId } from "../../lib/id.ts";
import type { TokenSigner } from "../../ports.ts";

/** In place of a person's id, which is a UUID. */
const subject = "operator";
const lifetimeSeconds = 60;

/**
 * A token for those who hold the key ring: they could sign a session of anybody, so this gives them no right that they do not
 * have.
 * @param now epoch seconds
 */
export function signOperatorToken(tokens: Pick<TokenSigner, "sign">, now: number): Promise<string> {
  return tokens.sign({ id: subject, jti: newId(), iat: now }, now + lifetimeSeconds);
}

export async function isOperatorToken(tokens: Pick<TokenSigner, "verify">, token: string): Promise<boolean> {
  const claims = await tokens.verify(token);
  return claims?.id === subject;
}
