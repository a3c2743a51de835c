/** The bindings of the plugin host's wrangler.toml. */
export interface HostEnv {
  LOADER: WorkerLoader;
  /** Shared data of Python isolates, created by scripts/launch/python-assets.ts. */
  PYTHON_ASSETS: Fetcher;
  /** The way of Python isolates to the large ones among them; main.ts makes it. */
  PYTHON_FILES?: Fetcher;
  /** How many isolates of Python may be warm here; unset: any number, because the platform ends them itself. */
  WARM_ISOLATES?: string;
  /** A way to private addresses; only if the runtime otherwise blocks them (one machine). */
  TRUSTED?: Fetcher;
  /**
   * `host` or `host:port`, separated by commas: private addresses that plugins may reach if their own list has them
   * too.
   */
  OUTBOUND_ALLOWED_PRIVATE_HOSTS?: string;
}
