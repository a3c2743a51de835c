import path from "node:path";
import type { Page } from "playwright-core";

/** A picture to look at, where `PARLEY_SCREENSHOTS` names a folder for them. */
export async function takePicture(page: Page, name: string, fullPage = false): Promise<void> {
  const folder = process.env["PARLEY_SCREENSHOTS"];
  if (folder) await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage });
}
