export type Values = Record<string, unknown>;

export interface Step {
  who: "stranger" | "admin" | "ada" | "provider";
  /** The route, as declared. */
  route: string;
  /** The actions of the rows that it leaves, in order. */
  actions: string[];
  /** What earlier steps have made, for the parameter of the path. */
  of?: string;
  /** The name under which later steps find what it makes. */
  makes?: string;
  /** Given what was made so far. */
  body?: (made: Record<string, string>) => Values;
  form?: () => FormData | Blob;
}

/** What must never be found in the audit log; each is told to the service, or by it, on the way. */
export const secrets = {
  signUp: "secret-of-the-sign-up",
  added: "secret-of-the-added",
  changed: "secret-that-was-changed",
  mail: "secret-of-the-mail-server",
  reset: "secret-that-was-reset",
  provider: "sk-secret-of-the-provider",
  providerNext: "sk-next-secret-of-the-provider",
  directProvider: "sk-secret-of-a-provider-of-ones-own",
  header: "secret-in-a-header",
  toolKey: "secret-of-the-tool-server",
  toolClient: "secret-of-the-oauth-client",
  query: "secret-in-a-query",
  provisioning: "secret-of-the-identity-provider",
  valve: "secret-in-a-valve",
  ownValve: "secret-in-a-valve-of-ones-own",
};
