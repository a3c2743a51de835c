/** The bindings of the plugin host's wrangler.toml. */
export interface HostEnv {
  LOADER: WorkerLoader;
  /** What isolates of Python plugins have in common: made by scripts/launch/python-assets.ts. */
  PYTHON_ASSETS: Fetcher;
  /** A way out to private addresses; only where the runtime would otherwise refuse them (one machine). */
  TRUSTED?: Fetcher;
  /** `host` or `host:port`, separated by commas: what plugins may reach though it is private, where their own list has it too. */
  OUTBOUND_ALLOWED_PRIVATE_HOSTS?: string;
}
