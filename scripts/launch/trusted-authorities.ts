import { readFileSync } from "node:fs";
import process from "node:process";
import tls from "node:tls";

/**
 * The certificate authorities for https connections of the runtime, because a workerd network trusts none by default
 * and cannot use TLS without them: the system's, and those in the file of NODE_EXTRA_CA_CERTS, as in any Node program,
 * because company providers often use their own.
 * @throws Error if that file cannot be read, which the launcher has checked at the start
 */
export function trustedAuthorities(extraFile: string | undefined): {
  trustBrowserCas: true;
  trustedCertificates: string[];
} {
  const extra = extraFile
    ? readFileSync(extraFile, "utf8").match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g)
    : null;
  // Windows has no file of authorities that workerd would find.
  const builtIn = process.platform === "win32" ? tls.rootCertificates : [];
  return { trustBrowserCas: true, trustedCertificates: [...builtIn, ...(extra ?? [])] };
}
