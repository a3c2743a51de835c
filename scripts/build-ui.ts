import { ensureUi, linkUi } from "./launch/build.ts";

/**
 * npm run build:ui, which wrangler runs by itself before it serves or deploys: brings dist/ui up to date. Does nothing
 * inside a build of the launcher, which builds the UI beside the Worker.
 */
if (process.env["PARLEY_SKIP_UI"] !== "1") linkUi(await ensureUi());
