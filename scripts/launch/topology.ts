/**
 * The Workers that run on one machine, as their wrangler.toml files. All of one entry share a workerd process and its
 * memory; the first of an entry is the one that is reached from outside. A Worker that must not take others down with it
 * gets an entry of its own.
 */
export const serviceWorkers: readonly string[] = ["wrangler.toml"];

/** Runs the plugins, in processes that plugins/plugin-pool.ts starts as they are needed. */
export const pluginHostWorker = "workers/plugin-host/wrangler.toml";

/** Reads documents, in processes that extractor/extractor-pool.ts starts as they are needed. */
export const extractorWorker = "workers/extractor/wrangler.toml";
