import type { Plugin } from "vite";

/** A rule for modules: those that it takes travel together. */
interface Group {
  name: string | ((id: string) => string);
  test: RegExp | ((id: string) => boolean);
  priority: number;
}

const entry = /\/src\/ui\/(index\.html|app\/main\.ts)$/;
const firstPages =
  /\/features\/(chat\/(Chat(Page|Rail)\.svelte|questions\/attention\.svelte\.ts)|channels\/ChannelRail\.svelte|sign-in\/SignInPage\.svelte)$/;
const frame = /\/src\/ui\/(index\.html|app\/main|components\/[^/]+$|lib\/[^/]+$)|^.?(rolldown|vite)/;
const runtime = /^.?(rolldown|vite)/;
const adminPage = /\/features\/admin\//;
/** Pages in the folders of the administration that people without rights there open too. */
const peoplePage = /\/features\/admin\/(plugins\/(import\/)?Own\w+|models\/ModelPage)\.svelte$/;

/** The pages of each area travel as one file with what only they use. */
const areas: Group[] = [
  { name: "chat", test: /\/features\/chat\/(Chat(Page|Rail)\.svelte|questions\/attention\.svelte\.ts)$/, priority: 1 },
  { name: "channels-rail", test: /\/features\/channels\/ChannelRail\.svelte$/, priority: 1 },
  { name: "channels", test: /\/features\/channels\/Channel(|s)Page\.svelte$/, priority: 1 },
  // Few have to set up a second factor first, and its page brings much with it.
  { name: "sign-in", test: /\/features\/sign-in\/(?!RequiredFactorPage).+\.svelte$/, priority: 1 },
  { name: "settings", test: /\/features\/settings\/.+(Page|Rail)\.svelte$/, priority: 1 },
  { name: "help", test: /\/features\/help\/.+(Page|Rail)\.svelte$/, priority: 1 },
  {
    name: "admin",
    test: (id) => /\/features\/admin\/.+(Page|Rail)\.svelte$/.test(id) && !peoplePage.test(id),
    priority: 1,
  },
];

/**
 * Which file of the built web page a module travels in. What the first page needs is one file with the frame; each area's pages are one
 * file, so that going around in an area loads nothing; and what an area for people shares with the administration is in files
 * of its own, so that nobody loads the administration with it.
 */
export function uiChunks(): { plugin: Plugin; groups: Group[] } {
  let first = new Set<string>();
  let people = new Set<string>();
  let admin = new Set<string>();
  const plugin: Plugin = {
    name: "parley:ui-chunks",
    apply: "build",
    buildEnd() {
      const modules = [...this.getModuleIds()].map((id) => [id, this.getModuleInfo(id)] as const);
      const imports = new Map(modules.map(([id, info]) => [id, info?.importedIds ?? []]));
      const reach = (roots: Iterable<string>): Set<string> => {
        const found = new Set<string>();
        const open = [...roots];
        for (let id = open.pop(); id !== undefined; id = open.pop()) {
          if (found.has(id)) continue;
          found.add(id);
          open.push(...(imports.get(id) ?? []));
        }
        return found;
      };
      const ids = modules.map(([id]) => id);
      const pages = new Set(modules.flatMap(([, info]) => info?.dynamicallyImportedIds ?? []));
      first = reach(ids.filter((id) => entry.test(id) || firstPages.test(id)));
      people = reach([...pages].filter((id) => !adminPage.test(id) || peoplePage.test(id)));
      admin = reach([...pages].filter((id) => adminPage.test(id) && !peoplePage.test(id)));
    },
  };
  const groups: Group[] = [
    // What texts of other languages need. The page waits for them, so none of it may be in a file of the page.
    { name: "language", test: /\/src\/ui\/languages\/(locale|plurals)\.ts$/, priority: 3 },
    // One file holds the frame and all shared parts that the first page needs: one request is faster.
    { name: "first", test: (id) => frame.test(id) && (first.has(id) || runtime.test(id)), priority: 2 },
    // Parts of lists and forms, which come with the first page that has any.
    { name: "parts", test: (id) => frame.test(id) && people.has(id) && admin.has(id), priority: 1.8 },
    // The palette offers the pages of the administration to those who may see them; the pages themselves stay away.
    { name: "places", test: /\/features\/admin\/(admin-pages|texts)\.ts$/, priority: 1.6 },
    // Several areas open such forms, and none should load another one's pages for it.
    { name: "schema-form", test: /\/src\/ui\/components\/schema-form\//, priority: 1.5 },
    {
      name: (id) => `shared-${/\/features\/((?:admin\/)?[^/]+)\//.exec(id)?.[1]?.replace("/", "-") ?? "rest"}`,
      test: (id) => people.has(id) && admin.has(id) && !first.has(id) && !runtime.test(id) && !peoplePage.test(id),
      priority: 1.4,
    },
    ...areas,
  ];
  return { plugin, groups };
}
