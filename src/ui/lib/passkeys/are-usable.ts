/**
 * Whether passkeys can work in this browser and at this address: browsers want HTTPS (or localhost), and a host name, because
 * passkeys belong to it.
 */
export function arePasskeysUsable(): boolean {
  const isAddress = /^\d+(\.\d+){3}$|^\[/.test(location.hostname);
  return (
    isSecureContext &&
    !isAddress &&
    typeof PublicKeyCredential === "function" &&
    "parseRequestOptionsFromJSON" in PublicKeyCredential
  );
}
