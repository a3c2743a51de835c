import { fromBase64 } from "../../src/lib/base64.ts";
import { scrypt } from "../../src/people/auth/passwords/scrypt.ts";
import type { PasswordCost } from "../../src/ports.ts";

/**
 * Hashes passwords for the service, and keeps and logs nothing. The password is the body, as bytes: parsing it could put
 * a part of it into an error.
 */
export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/ping") return new Response("ok");
    if (pathname !== "/scrypt") return new Response("unknown", { status: 404 });
    const { salt, cost } = JSON.parse(request.headers.get("x-options") ?? "") as { salt: string; cost: PasswordCost };
    const password = new Uint8Array(await request.arrayBuffer());
    return new Response((await scrypt(password, fromBase64(salt), cost)) as Uint8Array<ArrayBuffer>);
  },
};
