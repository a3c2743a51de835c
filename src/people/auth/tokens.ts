import { decodeProtectedHeader, jwtVerify, SignJWT } from "jose";
import type { KeyRing } from "../../lib/key-ring.ts";
import type { TokenSigner } from "../../ports.ts";

interface Verified {
  claims: { id: string; jti: string };
  /** Epoch seconds. */
  end: number;
}

/** About 300 bytes each. */
const maxVerified = 2000;

/**
 * HS256 tokens that name their key (`kid`), so that keys rotate without signing anybody out (RFC 7519, RFC 7515 section 4.1.4).
 * A token says only who and which session; role and rights are read from the database at every request.
 */
export function createTokenSigner(ring: KeyRing): TokenSigner {
  /** Tokens whose signature was right, with their end: it stays right. Whether the session lives is asked every time. */
  const verified = new Map<string, Verified>();

  async function check(token: string): Promise<Verified | undefined> {
    const { kid } = decodeProtectedHeader(token);
    if (kid === undefined || !ring.has(kid)) return undefined;
    const { payload } = await jwtVerify(token, await ring.key("tokens", kid), {
      algorithms: ["HS256"],
      requiredClaims: ["jti", "id"],
    });
    const { id, jti, exp } = payload;
    return typeof id === "string" && typeof jti === "string"
      ? { claims: { id, jti }, end: exp ?? Infinity }
      : undefined;
  }

  return {
    async sign(claims, expiresAt) {
      const token = new SignJWT({ id: claims.id })
        .setProtectedHeader({ alg: "HS256", typ: "JWT", kid: ring.current })
        .setJti(claims.jti)
        .setIssuedAt(claims.iat);
      if (expiresAt !== null) token.setExpirationTime(expiresAt);
      return token.sign(await ring.key("tokens", ring.current));
    },
    async verify(token) {
      const known = verified.get(token);
      if (known && known.end > Date.now() / 1000) return known.claims;
      try {
        const found = await check(token);
        if (!found) return undefined;
        if (verified.size >= maxVerified) verified.delete(verified.keys().next().value!);
        verified.set(token, found);
        return found.claims;
      } catch {
        // Not a token of ours, changed, or ended: all the same to the caller.
        return undefined;
      }
    },
  };
}
