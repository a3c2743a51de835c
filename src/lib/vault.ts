import type { Vault } from "../ports.ts";
import { fromBase64, toBase64 } from "./base64.ts";
import type { KeyRing } from "./key-ring.ts";
import { utf8Text } from "./utf8.ts";

/** AES-256-GCM under the key ring: `v1.<key name>.<nonce>.<ciphertext>`, parts in base64. */
export function createVault(ring: KeyRing): Vault {
  return {
    async seal(plain) {
      const iv = crypto.getRandomValues(new Uint8Array(12));
      const data = new TextEncoder().encode(plain);
      const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, await ring.key("vault", ring.current), data);
      return ["v1", ring.current, toBase64(iv), toBase64(new Uint8Array(sealed))].join(".");
    },
    async open(text) {
      const [version, name, iv, data] = text.split(".");
      if (version !== "v1" || !name || !iv || !data) throw new Error("not a sealed secret");
      const plain = await crypto.subtle.decrypt(
        { name: "AES-GCM", iv: fromBase64(iv) },
        await ring.key("vault", name),
        fromBase64(data),
      );
      return utf8Text(plain);
    },
    async fingerprint(text) {
      const data = new TextEncoder().encode(text);
      const mac = await crypto.subtle.sign("HMAC", await ring.key("fingerprints", ring.current), data);
      return toBase64(new Uint8Array(mac));
    },
  };
}
