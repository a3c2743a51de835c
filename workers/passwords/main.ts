import { fromBase64 } from "../../src/lib/base64.ts";
import { checkOldHash } from "../../src/people/auth/passwords/check-old-hash.ts";
import { scrypt } from "../../src/people/auth/passwords/scrypt.ts";
import type { PasswordCost } from "../../src/ports.ts";

/**
 * Hashes and checks passwords for the service, and keeps and logs nothing. The password is the body, as bytes: parsing it could put
 * a part of it into an error.
 */
export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/ping") return new Response("ok");
    const work = pathname === "/scrypt" ? derive : pathname === "/old-hash" ? check : undefined;
    if (!work) return new Response("unknown", { status: 404 });
    const options = request.headers.get("x-options") ?? "";
    return new Response(await work(new Uint8Array(await request.arrayBuffer()), options));
  },
};

async function derive(password: Uint8Array, options: string): Promise<Uint8Array<ArrayBuffer>> {
  const { salt, cost } = JSON.parse(options) as { salt: string; cost: PasswordCost };
  return (await scrypt(password, fromBase64(salt), cost)) as Uint8Array<ArrayBuffer>;
}

/** One byte: 1 where it fits. */
async function check(password: Uint8Array, options: string): Promise<Uint8Array<ArrayBuffer>> {
  const { stored } = JSON.parse(options) as { stored: string };
  return Uint8Array.of((await checkOldHash(password, stored)) ? 1 : 0);
}
