import { ensurePythonAssets, linkPythonAssets } from "./launch/python-assets.ts";

/**
 * What wrangler runs by itself before it serves or deploys the plugin host: brings dist/python up to date. Does nothing inside a
 * build of the launcher, which needs the folder only once a plugin is used.
 */
if (process.env["PARLEY_SKIP_UI"] !== "1") linkPythonAssets(await ensurePythonAssets());
