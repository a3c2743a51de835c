import process from "node:process";
import { StartError } from "../launch/start-error.ts";
import { runWrangler, WranglerError } from "./wrangler.ts";

/** Codes of Cloudflare's API with what to do about them. */
const advice: Readonly<Record<number, string>> = {
  10042: "Enable R2 for the account in the Cloudflare dashboard first.",
};

/** An answer of Cloudflare's API that is no success. */
export class CloudflareError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

interface Answer<T> {
  success?: boolean;
  result?: T;
  errors?: { code: number; message: string }[];
}

/** Cloudflare's API for one account (developers.cloudflare.com/api). */
export class Cloudflare {
  readonly accountName: string;
  readonly #base: string;
  readonly #headers: Record<string, string>;

  private constructor(base: string, headers: Record<string, string>, accountName: string) {
    this.#base = base;
    this.#headers = headers;
    this.accountName = accountName;
  }

  /**
   * Signs in with CLOUDFLARE_API_TOKEN, or as `wrangler login` left it, and chooses the account.
   * @throws StartError when nobody is signed in, or the account is not clear
   */
  static async signIn(): Promise<Cloudflare> {
    const api = (process.env["CLOUDFLARE_API_BASE_URL"] ?? "https://api.cloudflare.com/client/v4").replace(/\/$/, "");
    const headers = { authorization: `Bearer ${await readToken()}`, "content-type": "application/json" };
    const accounts = await ask<{ id: string; name: string }[]>(`${api}/accounts?per_page=50`, headers, "GET").catch(
      (error: unknown) => {
        throw new StartError(`Cloudflare refused the sign-in: ${(error as Error).message}`, "noPermission");
      },
    );
    const wanted = process.env["CLOUDFLARE_ACCOUNT_ID"];
    const found = wanted ? accounts.filter(({ id }) => id === wanted) : accounts;
    const [account] = found;
    if (account === undefined || found.length > 1) {
      const list = accounts.map(({ id, name }) => `${id} (${name})`).join(", ") || "none";
      throw new StartError(
        `Set CLOUDFLARE_ACCOUNT_ID to one of the accounts of this sign-in: ${list}.`,
        "configuration",
      );
    }
    process.env["CLOUDFLARE_ACCOUNT_ID"] = account.id;
    return new Cloudflare(`${api}/accounts/${account.id}`, headers, account.name);
  }

  /** @throws CloudflareError */
  ask<T = unknown>(method: "GET" | "POST" | "DELETE", path: string, body?: object): Promise<T> {
    return ask<T>(this.#base + path, this.#headers, method, body);
  }

  /** As `ask`, but undefined for what is not there. */
  async find<T = unknown>(path: string): Promise<T | undefined> {
    try {
      return await this.ask<T>("GET", path);
    } catch (error) {
      if (error instanceof CloudflareError && error.status === 404) return undefined;
      throw error;
    }
  }
}

async function readToken(): Promise<string> {
  const given = process.env["CLOUDFLARE_API_TOKEN"]?.trim();
  if (given) return given;
  try {
    const { said } = await runWrangler(["auth", "token", "--json"]);
    return (JSON.parse(said) as { token: string }).token;
  } catch (error) {
    if (!(error instanceof WranglerError)) throw error;
    throw new StartError(
      "Nobody is signed in at Cloudflare: run npx wrangler login, or set CLOUDFLARE_API_TOKEN.",
      "noPermission",
    );
  }
}

async function ask<T>(url: string, headers: Record<string, string>, method: string, body?: object): Promise<T> {
  let response;
  try {
    response = await fetch(url, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  } catch (error) {
    throw new StartError(`Cloudflare cannot be reached (${String((error as Error).cause ?? error)}).`, "unavailable");
  }
  const text = await response.text();
  const answer = parse<T>(text);
  if (response.ok && answer?.success !== false) return answer?.result as T;
  const [first] = answer?.errors ?? [];
  const words = first
    ? `${first.message} (code ${first.code}). ${advice[first.code] ?? ""}`.trim()
    : text.slice(0, 200);
  throw new CloudflareError(response.status, `${words || `status ${response.status}`}`);
}

function parse<T>(text: string): Answer<T> | undefined {
  try {
    return JSON.parse(text) as Answer<T>;
  } catch {
    return undefined;
  }
}
