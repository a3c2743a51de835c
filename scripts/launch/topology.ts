/** The Workers that run on one machine, as their wrangler.toml files: each has processes of its own. This one is the service. */
export const serviceWorker = "wrangler.toml";

/** Runs plugins, in processes that plugins/plugin-pool.ts starts on demand. */
export const pluginHostWorker = "workers/plugin-host/wrangler.toml";

/** Reads documents, in processes that on-demand/pool.ts starts. */
export const extractorWorker = "workers/extractor/wrangler.toml";

/** Hashes passwords, in a process that on-demand/pool.ts starts. */
export const passwordsWorker = "workers/passwords/wrangler.toml";
