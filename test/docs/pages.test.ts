import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { makeDocs } from "../../scripts/docs/make-docs.ts";
import { createApp } from "../../src/app.ts";
import { parseEnvironment } from "../../src/compose/parse-environment.ts";
import { createRouters } from "../../src/compose/routes.ts";
import { definitions } from "../../src/compose/settings.ts";
import { helpGroups, helpSlugs, places } from "../../src/ui/features/help/pages.ts";
import { anchorOf, readPage } from "../../src/ui/features/help/read-page.ts";
import { environmentVariables } from "./environment-variables.ts";
import { listPages, readBlocks, readText, root } from "./read-blocks.ts";

/** For people who change the code, or plan large installations; not in Help. */
const beside = ["docs/contract-coverage.md", "docs/scale.md"];
const pages = listPages("docs").filter((page) => !beside.includes(page));
const house = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"];

test("the made parts of the pages and the guide's copy are current: `npm run docs:make` writes them", () => {
  const stale = [...makeDocs()].filter(([file, text]) => readText(file) !== text).map(([file]) => file);
  expect(stale).toEqual([]);
});

describe("Help", () => {
  test("has every page of docs/, under its title", () => {
    expect(helpSlugs.map((slug) => `docs/${slug}.md`).toSorted()).toEqual(pages.toSorted());
    for (const { slug, title } of helpGroups.flatMap((group) => [...group.pages]))
      expect(readPage(slug, readText(`docs/${slug}.md`)).title).toBe(title);
  });

  test("shows pages of two levels: what is below would skip a level on its page", () => {
    expect(pages.filter((page) => /^###/m.test(withoutCode(readText(page))))).toEqual([]);
  });

  test("knows every place of the app that a page names, and the app has it", () => {
    const routes = readText("src/ui/app/routes.ts") + readText("src/ui/app/admin-routes.ts");
    const known = new Set([...routes.matchAll(/path: "([^"]+)"/g)].map((match) => match[1]));
    expect(Object.values(places).filter((address) => !known.has(address))).toEqual([]);
    const named = pages.flatMap((page) =>
      [...readText(page).matchAll(/\*\*((?:Admin|Settings) > [^*]+)\*\*/g)].map((match) => match[1]!),
    );
    expect(named.filter((place) => places[place] === undefined)).toEqual([]);
    expect(named.length).toBeGreaterThan(20);
  });
});

describe("configuration.md", () => {
  const text = readText("docs/configuration.md");
  const runnerVariables = [
    ...readText("workers/native-runner/native_runner/options.py").matchAll(/"(RUNNER_[A-Z_]+)"/g),
  ].map((match) => match[1]!);
  const variables = [
    ...environmentVariables(),
    ...Object.entries(definitions).flatMap(([name, definition]) => [
      name,
      ...("aliases" in definition ? definition.aliases : []),
    ]),
  ];

  test("names every variable that the code reads", () => {
    expect(variables.length).toBeGreaterThan(100);
    expect(variables.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });

  test("and the page of the native runner names every variable of that", () => {
    const page = readText("docs/native-runner.md");
    expect(runnerVariables.length).toBeGreaterThan(10);
    expect(runnerVariables.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  test("and no page names one that nothing reads", () => {
    // Of other programs, and of recipes.
    const foreign = new Set([
      "OLLAMA_HOST",
      "ANTHROPIC_BASE_URL",
      "ANTHROPIC_AUTH_TOKEN",
      "ANTHROPIC_MODEL",
      "PARLEY_MODEL",
      "ALERT_URL",
      "HTTP_PROXY",
      "HTTPS_PROXY",
      "ALL_PROXY",
    ]);
    const known = new Set([...variables, ...runnerVariables, ...foreign]);
    const unknown = [...pages, ...house].flatMap((page) =>
      [...readText(page).matchAll(/`([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?:=[^`]*)?`(?! \(new\))/g)]
        .map((match) => match[1]!)
        .filter((name) => !known.has(name))
        .map((name) => `${page}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  test("and examples set only variables that there are, to values that they take", () => {
    const blocks = pages.flatMap(readBlocks).filter(({ mark }) => mark === "env");
    expect(blocks.length).toBeGreaterThan(1);
    for (const { text } of blocks) {
      const given = Object.fromEntries(
        text
          .trim()
          .split("\n")
          .map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]),
      );
      expect(Object.keys(given).filter((name) => !variables.includes(name))).toEqual([]);
      expect(Object.keys(parseEnvironment(given)).length).toBe(Object.keys(given).length);
    }
  });
});

test("every endpoint is named", () => {
  const text = readText("docs/endpoints.md");
  const named = new Set([...text.matchAll(/^\| (\w+) \| `([^`]+)` \|/gm)].map((match) => `${match[1]} ${match[2]}`));
  const declared = createApp(createRouters()).routes.filter(({ method }) => method !== "ALL");
  const routes = declared.map(
    ({ method, path }) =>
      `${method} ${path
        .replace(/:(\w+)/g, "{$1}")
        .replace(/^\/ollama\//, "/localmodel/")
        .replace(/(.)\/$/, "$1")}`,
  );
  const missing = routes.filter((route) => {
    const [method, address] = route.split(" ");
    // The page says that both endings are the same; some routes have only the one with a slash.
    return !named.has(route) && !named.has(`${method} ${address}/`);
  });
  expect(routes.length).toBeGreaterThan(400);
  expect(missing).toEqual([]);
  const known = new Set(routes);
  expect([...named].filter((route) => !known.has(route.replace(/(.)\/$/, "$1")))).toEqual([]);
});

describe("every page", () => {
  const all = [...pages, ...beside, ...house];

  test("links only to files and headings that there are", () => {
    const anchors = new Map(
      all.map((page) => [page, [...withoutCode(readText(page)).matchAll(/^#+ (.*)$/gm)].map((m) => anchorOf(m[1]!))]),
    );
    const dead = all.flatMap((page) =>
      [...withoutCode(readText(page)).matchAll(/\]\(([^)\s]+)\)/g)]
        .map((match) => match[1]!)
        .filter((link) => !link.startsWith("https://"))
        .filter((link) => {
          const [file = "", anchor] = link.split("#");
          const target = file === "" ? page : path.posix.join(path.posix.dirname(page), file);
          if (!existsSync(path.join(root, target))) return true;
          return anchor !== undefined && !anchors.get(target)?.includes(anchor);
        })
        .map((link) => `${page}: ${link}`),
    );
    expect(dead).toEqual([]);
  });

  test("quotes labels as the web page has them", () => {
    const sources = readdirSync(path.join(root, "src"), { recursive: true, encoding: "utf8" })
      .filter((file) => /texts?[\w-]*\.ts$|settings\.ts$/.test(file))
      .map((file) => readText(`src/${file}`))
      .join("\n");
    const labels = pages.flatMap((page) =>
      [...withoutCode(readText(page)).matchAll(/(?<![*\w])\*([A-Z][^*\n]+)\*(?!\*)/g)].map((match) => match[1]!),
    );
    expect(labels.length).toBeGreaterThan(10);
    // The tables of settings write this in italics; it is no label.
    expect(labels.filter((label) => !sources.includes(`"${label}"`) && label !== "Environment only.")).toEqual([]);
  });

  test("names only npm scripts that there are", () => {
    const { scripts } = JSON.parse(readText("package.json")) as { scripts: Record<string, string> };
    const wrong = all.flatMap((page) =>
      [...readText(page).matchAll(/npm run ([a-z][a-z:-]*[a-z])/g)]
        .map((match) => match[1]!)
        .filter((name) => !(name in scripts))
        .map((name) => `${page}: ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  test.each(all.flatMap(readBlocks).filter(({ language }) => ["json", "js", "ts"].includes(language)))(
    "$at is valid $language",
    ({ language, text }) => expect(syntaxProblems(language, text)).toEqual([]),
  );

  test.each(all.flatMap(readBlocks).filter(({ mark }) => mark.startsWith("setting: ")))(
    "$at is a value of the setting that it is for",
    ({ mark, text }) => {
      const name = mark.slice("setting: ".length);
      expect(parseEnvironment({ [name]: text })).toHaveProperty(name);
    },
  );
});

test.each(house)("%s names only files that there are, or that an example makes", (page) => {
  const named = [
    ...withoutExamples(readText(page)).matchAll(/`((?:[\w.@-]+\/)+[\w.@-]*|[\w-]+\.(?:ts|json|toml|md|sh))`/g),
  ]
    .map((match) => match[1]!)
    .filter((file) => /^(?:src|workers|scripts|test|docs|migrations)\/|^[\w-]+\.(?:ts|json|toml|md|sh)$/.test(file));
  const names = new Set(["src", "workers", "scripts", "test"].flatMap(listNames));
  // A name alone, such as `routes.ts`, stands for the files of this name.
  const isThere = (file: string) => existsSync(path.join(root, file)) || (!file.includes("/") && names.has(file));
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((file) => !isThere(file))).toEqual([]);
});

function syntaxProblems(language: string, text: string): unknown[] {
  if (language === "json") {
    JSON.parse(text);
    return [];
  }
  const compilerOptions = { target: ts.ScriptTarget.ES2024, module: ts.ModuleKind.ESNext };
  return ts.transpileModule(text, { reportDiagnostics: true, compilerOptions }).diagnostics ?? [];
}

function listNames(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => path.basename(file));
}

/** What an example makes is marked: `src/prompts/labels.ts` (new). */
function withoutExamples(text: string): string {
  return withoutFences(text).replace(/`[^`\n]*` \(new\)/g, "");
}

function withoutFences(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, "");
}

function withoutCode(text: string): string {
  return withoutFences(text).replace(/`[^`\n]*`/g, "``");
}
