import type { ShownPasskey } from "../../people/auth/passkeys/schema.ts";
import type { SessionResponse } from "../../people/auth/sign-in/schema.ts";
import type { UserStatus } from "../../people/users/schema.ts";
import type { PublicConfig } from "../../settings/schema.ts";
import { ApiError, readError, toApiError } from "./api-error.ts";
import { api, onSignedOut } from "./api.ts";
import { at } from "./base-path.ts";
import { online } from "./online.svelte.ts";

/** The person who is signed in, as `GET /api/v1/auths/` tells it. The token stays in the cookie. */
export type Person = Omit<SessionResponse, "token" | "token_type" | "expires_at"> & Partial<UserStatus>;

/** What `GET /api/config` tells; signed-in people see more of it. */
export type AppConfig = Pick<
  PublicConfig,
  | "name"
  | "version"
  | "oauth"
  | "features"
  | "onboarding"
  | "default_models"
  | "default_pinned_models"
  | "default_prompt_suggestions"
  | "file"
  | "ui"
  | "outside_pictures"
  | "banners"
  | "audio"
>;

/** `setup`: a second factor has to be set up first. `unreachable` means that the service gave no usable answer yet; it is asked again by itself. */
export type SessionState = "starting" | "unreachable" | "stranger" | "pending" | "setup" | "ready";

interface Boot {
  config: Promise<Response>;
  session: Promise<Response>;
}

const HINT = "parley:signed-in";

class Session {
  state = $state<SessionState>("starting");
  person = $state.raw<Person | undefined>(undefined);
  config = $state.raw<AppConfig>({
    name: "Parley",
    version: "",
    oauth: { providers: {}, auto_redirect: false },
    features: {},
  });
  error = $state.raw<ApiError | undefined>(undefined);
  /** Set while the person is asked to sign in again over the open page. */
  again = $state.raw<{ done: (signedIn: boolean) => void } | undefined>(undefined);
  #asking: Promise<boolean> | undefined;

  /** True when this browser was signed in last time: then the page is loaded while the answer is still on its way. */
  get likelySignedIn(): boolean {
    return localStorage.getItem(HINT) !== null;
  }

  get isAdmin(): boolean {
    return this.person?.role === "admin";
  }

  /** Administrators of the whole service, and those of an organization: these manage its people and groups only. */
  get isManager(): boolean {
    return this.isAdmin || (this.person?.role === "user" && this.person.organization_role === "admin");
  }

  /** Whether the person may do something of the permission tree; administrators may do everything. */
  may(branch: string, leaf: string): boolean {
    return this.isAdmin || this.person?.permissions[branch]?.[leaf] === true;
  }

  /** Takes the two answers that `boot.js` asked for before the app was loaded. Asks again by itself when they fail. */
  async start(): Promise<void> {
    onSignedOut(() => this.#askAgain());
    const boot = (globalThis as { parleyBoot?: Boot }).parleyBoot;
    const ask = (path: string) => fetch(at(path), { headers: { accept: "application/json" } });
    try {
      await this.#take(boot ?? { config: ask("/api/config"), session: ask("/api/v1/auths/") });
      return;
    } catch (cause) {
      this.#fail(cause);
    }
    for (let wait = 1000; ; wait = Math.min(wait * 1.6, 15_000)) {
      await online.back();
      if (this.state !== "unreachable") return;
      await new Promise((resolve) => setTimeout(resolve, wait));
      if (await this.retry()) return;
    }
  }

  /** Asks once more who is signed in. Returns false when there was no usable answer. */
  async retry(): Promise<boolean> {
    const ask = (path: string) => fetch(at(path), { headers: { accept: "application/json" } });
    try {
      await this.#take({ config: ask("/api/config"), session: ask("/api/v1/auths/") });
      return true;
    } catch (cause) {
      this.#fail(cause);
      return false;
    }
  }

  async signIn(email: string, password: string): Promise<void> {
    await this.#enter("auths/signin", { email, password });
    void this.refreshConfig();
  }

  /** Signs in with what the browser signed. */
  async signInWithPasskey(credential: ShownPasskey): Promise<void> {
    await this.#enter("auths/signin/passkey", { credential });
    void this.refreshConfig();
  }

  /** Finishes a sign-in that needs a second factor. @param token from the error of `signIn` */
  async finishSignIn(token: string, proof: { code: string } | { passkey: ShownPasskey }): Promise<void> {
    await this.#enter("auths/signin/second_factor", { token, ...proof });
    void this.refreshConfig();
  }

  async signUp(name: string, email: string, password: string): Promise<void> {
    await this.#enter("auths/signup", { name, email, password });
    void this.refreshConfig();
  }

  /** Makes the account of an invitation. @param token of its link */
  async join(token: string, name: string, email: string, password: string): Promise<void> {
    await this.#enter("invitations/accept", { token, name, email, password });
    void this.refreshConfig();
  }

  /** @throws ApiError also where the browser gets no cookie: everything after it would fail as if the session had ended */
  async #enter(path: string, body: Record<string, unknown>): Promise<void> {
    const answer = await api<Person & { cookie_problem?: string }>("POST", `/api/v1/${path}`, {
      body,
      plain401: true,
    });
    const { cookie_problem: problem, ...person } = answer;
    if (problem !== undefined) throw new ApiError(200, "no_cookie", problem);
    this.accept(person);
  }

  /**
   * Ends this session and loads the app again, so that nothing of the person stays in memory. Where the identity provider
   * has a session of its own, the service names the address that ends that too.
   */
  async signOut(): Promise<void> {
    const { redirect_url: elsewhere } = await api<{ redirect_url?: string }>("POST", "/api/v1/auths/signout", {
      plain401: true,
    });
    localStorage.removeItem(HINT);
    location.assign(elsewhere || at("/sign-in?signed_out=1"));
  }

  /** Whether somebody is signed in by now, in another tab for example; asks nobody to sign in. */
  async check(): Promise<boolean> {
    try {
      this.accept(await api<Person>("GET", "/api/v1/auths/", { plain401: true }));
      return true;
    } catch {
      return false;
    }
  }

  /** Asks who is signed in now: the waiting page uses it to go on as soon as an administrator lets the person in. */
  async refresh(): Promise<void> {
    this.accept(await api<Person>("GET", "/api/v1/auths/"));
  }

  /**
   * The service said over the live connection that the person's rights may have changed. Not all at once: everyone of an
   * organization hears it in the same moment. Resolves when the new ones are known.
   */
  async changed(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 2000));
    // An answer that does not come changes nothing here: what the page asks for next is decided by the service anyway.
    await this.refresh().catch(() => undefined);
    await this.refreshConfig();
  }

  /** The service said over the live connection that this session has ended. */
  ended(): void {
    void this.#askAgain();
  }

  /** Reads the public settings again: after sign-in, and after an administrator changed them. */
  async refreshConfig(): Promise<void> {
    this.config = await api<AppConfig>("GET", "/api/config", { plain401: true }).catch(() => this.config);
  }

  /** Takes a session answer of the service as the truth about who is signed in. */
  accept(person: Person): void {
    if (this.person && this.person.id !== person.id) {
      // Somebody else signed in over an open page: nothing of the first person may stay.
      location.assign(at("/"));
      return;
    }
    localStorage.setItem(HINT, "1");
    this.person = person;
    this.state = person.role === "pending" ? "pending" : person.lacks_second_factor ? "setup" : "ready";
    this.again?.done(true);
  }

  async #take(answers: Boot): Promise<void> {
    const [config, who] = await Promise.all([answers.config, answers.session]);
    if (!config.ok) throw await readError(config);
    this.config = (await config.json()) as AppConfig;
    if (who.ok) this.accept((await who.json()) as Person);
    else if (who.status === 401) this.#forget();
    else throw await readError(who);
    this.error = undefined;
    online.answered();
  }

  #forget(): void {
    localStorage.removeItem(HINT);
    this.person = undefined;
    this.state = "stranger";
  }

  #fail(cause: unknown): void {
    const noAnswer = cause instanceof TypeError;
    this.error = noAnswer ? new ApiError(0, "offline", "The service couldn't be reached.") : toApiError(cause);
    this.state = "unreachable";
    if (noAnswer) online.failed();
  }

  #askAgain(): Promise<boolean> {
    if (this.state !== "ready" && this.state !== "pending" && this.state !== "setup") return Promise.resolve(false);
    this.#asking ??= new Promise<boolean>((resolve) => {
      this.again = { done: resolve };
    }).finally(() => {
      this.again = undefined;
      this.#asking = undefined;
    });
    return this.#asking;
  }
}

export const session = new Session();
