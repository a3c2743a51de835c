/**
 * The Workers that run on one machine, as their wrangler.toml files. All Workers of one entry share a workerd process
 * and its memory; the first of an entry is reachable from outside. A Worker that must not take others down with it has
 * its own entry.
 */
export const serviceWorkers: readonly string[] = ["wrangler.toml"];

/** Runs plugins, in processes that plugins/plugin-pool.ts starts on demand. */
export const pluginHostWorker = "workers/plugin-host/wrangler.toml";

/** Reads documents, in processes that extractor/extractor-pool.ts starts on demand. */
export const extractorWorker = "workers/extractor/wrangler.toml";

/** Hashes passwords, in the process of passwords/password-host.ts. */
export const passwordsWorker = "workers/passwords/wrangler.toml";
