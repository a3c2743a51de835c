import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { chromium, type Browser, type BrowserContext, type LaunchOptions, type Page } from "playwright-core";

const root = path.resolve(import.meta.dirname, "../..");

/** The two widths that the design is made for. */
const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };

export interface PageOptions {
  size?: keyof typeof sizes;
  theme?: "light" | "dark";
  /** The language that the browser prefers, with its region. */
  locale?: string;
  /** Address that relative ones in `goto` belong to. */
  baseURL?: string;
  /** A page in this context shares its cookies and storage: another tab of the same person. */
  context?: BrowserContext;
  /** The page may have its service worker. Without one, requests are seen by whoever routes them, and pages load faster. */
  serviceWorker?: boolean;
}

export interface TestBrowser {
  /**
   * Opens a page in a context of its own: nobody is signed in there. Motion is reduced, so that nothing has to be waited
   * for that only moves. The zone is UTC and the language English unless the test says another, whatever the machine says.
   */
  openPage(options?: PageOptions): Promise<Page>;
  close(): Promise<void>;
}

/** In a run of tests: that of the files before. */
let shared: Promise<Browser> | undefined;

/**
 * Opens a browser; one for a test file is enough. It comes with the packages, nothing has to be installed. The files of a run share
 * one process, which ends with the run: what a file opens is in contexts of its own.
 * @param flags of Chromium, besides the usual ones: with any, the process is the file's own
 */
export async function openBrowser(flags: readonly string[] = []): Promise<TestBrowser> {
  const isShared = flags.length === 0 && process.env["VITEST"] !== undefined;
  const browser = await (isShared ? (shared ??= launchShared()) : launch(flags));
  const opened: BrowserContext[] = [];
  return {
    async openPage({
      size = "desktop",
      theme = "light",
      locale = "en-US",
      baseURL,
      context,
      serviceWorker = false,
    } = {}) {
      const own = async () => {
        const made = await browser.newContext({
          viewport: sizes[size],
          ...(size === "phone" ? { hasTouch: true, isMobile: true, deviceScaleFactor: 2 } : {}),
          colorScheme: theme,
          reducedMotion: "reduce",
          serviceWorkers: serviceWorker ? "allow" : "block",
          locale,
          timezoneId: "UTC",
          // Proxies under test have a certificate of their own.
          ignoreHTTPSErrors: true,
          ...(baseURL === undefined ? {} : { baseURL }),
        });
        opened.push(made);
        return made;
      };
      const page = await (context ?? (await own())).newPage();
      // For what hangs: no state takes as long to come, whatever else the machine has to do.
      page.setDefaultTimeout(60_000);
      return page;
    },
    async close() {
      if (isShared) await Promise.all(opened.map((each) => each.close()));
      else await browser.close();
    },
  };
}

async function launchShared(): Promise<Browser> {
  try {
    const browser = await launch([]);
    // When it has crashed, the next file has a new one.
    browser.once("disconnected", () => (shared = undefined));
    return browser;
  } catch (error) {
    shared = undefined;
    throw error;
  }
}

async function launch(flags: readonly string[]): Promise<Browser> {
  const found = await findBrowser();
  return chromium.launch({ ...found, args: [...(found.args ?? []), ...flags] });
}

/**
 * CHROMIUM_PATH wins. Otherwise the packaged Chromium, which is for Linux on x64; elsewhere the Chrome of the machine.
 */
async function findBrowser(): Promise<LaunchOptions> {
  // Without its sandbox, which needs rights that containers do not give; it visits only the service under test.
  const args = [
    "--no-sandbox",
    "--font-render-hinting=none",
    // Names for this machine that are not secure contexts over http, as `localhost` is.
    "--host-resolver-rules=MAP chat.proxied.test 127.0.0.1, MAP *.example.com 127.0.0.1",
  ];
  const given = process.env["CHROMIUM_PATH"];
  if (given) return { executablePath: given, args };
  if (process.platform !== "linux" || process.arch !== "x64") return { channel: "chrome", args };
  const folder = await unpackOnce();
  const env = {
    ...process.env,
    FONTCONFIG_PATH: path.join(folder, "fonts"),
    LD_LIBRARY_PATH: path.join(folder, "al2023/lib"),
  };
  return { executablePath: path.join(folder, "chromium"), args, env: env as Record<string, string> };
}

/** Unpacks beside and renames, so that a run that was interrupted leaves nothing that looks complete. */
async function unpackOnce(): Promise<string> {
  const manifest = path.join(root, "node_modules/@sparticuz/chromium/package.json");
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
  const folder = path.join(root, ".build", `chromium-${version}`);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.${process.pid}`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  await promisify(execFile)(process.execPath, [path.join(import.meta.dirname, "unpack-browser.ts")], {
    cwd: root,
    env: { ...process.env, TMPDIR: unfinished, AWS_LAMBDA_JS_RUNTIME: "nodejs22.x" },
  });
  // The package's own list names folders that exist on its usual host only, and then no text is drawn at all.
  writeFileSync(path.join(unfinished, "fonts/fonts.conf"), listFonts(folder));
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(unfinished, { recursive: true });
  }
  return folder;
}

function listFonts(folder: string): string {
  const dirs = [path.join(folder, "fonts/fonts"), "/usr/share/fonts", "/usr/local/share/fonts"];
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
${dirs.map((dir) => `  <dir>${dir}</dir>`).join("\n")}
  <cachedir>${path.join(folder, "font-cache")}</cachedir>
</fontconfig>
`;
}
