import { readFileSync } from "node:fs";
import process from "node:process";
import tls from "node:tls";

/**
 * Whom https connections of the runtime trust: a workerd network trusts nobody by itself and cannot even begin with TLS.
 * The system's authorities, and those in the file that NODE_EXTRA_CA_CERTS names, as for any Node program: providers inside a
 * company often have a certificate of the company's own.
 * @throws Error when that file cannot be read
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
