import { decodeProtectedHeader, jwtVerify, SignJWT } from "jose";
import type { KeyRing } from "../lib/key-ring.ts";
import type { TokenSigner } from "../ports.ts";

/**
 * HS256 tokens that name their key (`kid`), so that keys rotate without signing anybody out (RFC 7519, RFC 7515 section 4.1.4).
 * A token says only who and which session; role and rights are read from the database at every request.
 */
export function createTokenSigner(ring: KeyRing): TokenSigner {
  return {
    async sign(claims, expiresAt) {
      const token = new SignJWT({ id: claims.id }).setProtectedHeader({ alg: "HS256", typ: "JWT", kid: ring.current }).setJti(claims.jti).setIssuedAt(claims.iat);
      if (expiresAt !== null) token.setExpirationTime(expiresAt);
      return token.sign(await ring.key("tokens", ring.current));
    },
    async verify(token) {
      try {
        const { kid } = decodeProtectedHeader(token);
        if (kid === undefined || !ring.has(kid)) return undefined;
        const { payload } = await jwtVerify(token, await ring.key("tokens", kid), { algorithms: ["HS256"], requiredClaims: ["jti", "id"] });
        return typeof payload.id === "string" && typeof payload.jti === "string" ? { id: payload.id, jti: payload.jti } : undefined;
      } catch {
        // Not a token of ours, changed, or ended: all the same to the caller.
        return undefined;
      }
    },
  };
}
