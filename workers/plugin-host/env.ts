/** The bindings of the plugin host's wrangler.toml. */
export interface HostEnv {
  LOADER: WorkerLoader;
  /** A way out to private addresses; only where the runtime would otherwise refuse them (one machine). */
  TRUSTED?: Fetcher;
  /** `host` or `host:port`, separated by commas: what plugins may reach though it is private, where their own list has it too. */
  OUTBOUND_ALLOWED_PRIVATE_HOSTS?: string;
}
