import type { PluginType, SourceProblem } from "../../../src/plugins/plugin-host.ts";
import { readFrontmatter } from "./doc-comment.ts";
import { findPlugins, publicFunctions, type FoundPlugin } from "./find-plugin.ts";
import type { SourceMeta } from "./source-meta.ts";
import { findDeclarations, parseSource, type ClassNode, type Declarations, type SourceFile } from "./syntax.ts";
import { isReserved, readParameters, readToolSpec } from "./tool-spec.ts";
import { readValves } from "./valves.ts";

export interface Analysis {
  /** Undefined where a problem is an error. */
  meta: SourceMeta | undefined;
  /** Declared at the top of the module under these names. */
  hasValves: boolean;
  hasUserValves: boolean;
  problems: SourceProblem[];
}

const hooksOf: Record<PluginType, readonly string[]> = {
  pipe: ["pipe"],
  filter: ["inlet", "stream", "outlet"],
  action: ["action"],
  tools: [],
};

const known = new Set(
  (
    "user metadata event_emitter event_call model messages files request chat_id session_id message_id task task_body tools " +
    "oauth_token id features body skill_ids model_knowledge service signal"
  )
    .split(" ")
    .map((name) => `__${name}__`),
);

/** Finds out all that can be known about a JavaScript or TypeScript plugin without running it. */
export function analyseSource(source: string): Analysis {
  const problems: SourceProblem[] = [];
  const failed = { meta: undefined, hasValves: false, hasUserValves: false, problems };
  let file: SourceFile;
  try {
    file = parseSource(source);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    problems.push(syntaxProblem(error));
    return failed;
  }
  const manifest = readFrontmatter(source);
  problems.push(...findImports(file));
  if (manifest["requirements"]) {
    problems.push({
      severity: "error",
      message: "A JavaScript plugin must be a single file: `requirements` are only for Python plugins",
    });
  }
  const declarations = findDeclarations(file);
  const plugin = pickPlugin(file, declarations, problems);
  if (plugin) problems.push(...checkFunctions(plugin, declarations));
  if (!plugin || problems.some(({ severity }) => severity === "error")) return failed;

  const functions = publicFunctions(plugin, declarations);
  const valves = declarations.get("Valves");
  const userValves = declarations.get("UserValves");
  const hasValves = valves?.type === "ClassDeclaration";
  const hasUserValves = userValves?.type === "ClassDeclaration";
  return {
    meta: {
      type: plugin.type,
      exported: plugin.exported,
      manifest,
      parameters: Object.fromEntries(functions.map(({ name, node }) => [name, readParameters(node)])),
      specs:
        plugin.type === "tools"
          ? functions.map(({ name, node, comment }) => readToolSpec(name, node, comment, declarations))
          : [],
      valvesSchema: hasValves ? readValves(valves as ClassNode, "Valves", declarations) : null,
      userValvesSchema: hasUserValves ? readValves(userValves as ClassNode, "UserValves", declarations) : null,
    },
    hasValves,
    hasUserValves,
    problems,
  };
}

function pickPlugin(file: SourceFile, declarations: Declarations, problems: SourceProblem[]): FoundPlugin | undefined {
  const found = findPlugins(file, declarations);
  if (found.length === 0) {
    const message = "Export one class named Tools, Pipe, Filter or Action, such as: export default class Tools { … }";
    problems.push({ severity: "error", message });
  }
  for (const extra of found.slice(1)) {
    problems.push({
      severity: "error",
      message: "Export only one plugin: each plugin needs its own source",
      ...extra.place,
    });
  }
  return found[0];
}

function checkFunctions(plugin: FoundPlugin, declarations: Declarations): SourceProblem[] {
  const functions = publicFunctions(plugin, declarations);
  const names = functions.map(({ name }) => name);
  const hooks = hooksOf[plugin.type];
  const problems: SourceProblem[] = [];
  if (hooks.length > 0 && !hooks.some((hook) => names.includes(hook))) {
    const expected = hooks.map((hook) => `${hook}()`).join(", ");
    problems.push({
      severity: "error",
      message: `It has none of the functions that Parley calls: ${expected}`,
      ...plugin.place,
    });
  }
  if (plugin.type === "tools" && names.length === 0) {
    problems.push({
      severity: "warning",
      message: "It has no public function, so it is not a tool yet",
      ...plugin.place,
    });
  }
  for (const { name, node, place } of functions) {
    if (plugin.type === "tools" && !/^[\w-]{1,64}$/.test(name)) {
      const message = `Models cannot call a tool named ${name}: letters, digits and underscores only, up to 64`;
      problems.push({ severity: "error", message, ...place });
    }
    const wanted = readParameters(node).flatMap((parameter) => ("name" in parameter ? parameter.name : parameter.keys));
    for (const unknown of wanted.filter((each) => isReserved(each) && !known.has(each))) {
      problems.push({ severity: "warning", message: `${unknown} is unknown and will be undefined`, ...place });
    }
  }
  return problems;
}

/** One file is all there is in the isolate. Imports of types only are gone before it runs. */
function findImports(file: SourceFile): SourceProblem[] {
  return file.program.body.flatMap((statement): SourceProblem[] => {
    const isImport = statement.type === "ImportDeclaration" && statement.importKind !== "type";
    const isExport =
      statement.type === "ExportAllDeclaration" ||
      (statement.type === "ExportNamedDeclaration" && statement.source && statement.exportKind !== "type");
    if (!isImport && !isExport) return [];
    const name = (statement as { source: { value: string } }).source.value;
    const message = `The module "${name}" is not available: a JavaScript plugin must be a single file`;
    return [{ severity: "error", message, ...placeOf(statement) }];
  });
}

function syntaxProblem(error: unknown): SourceProblem {
  const { message, loc } = error as { message: string; loc?: { line: number; column: number } };
  const plain = message.replace(/\s*\(\d+:\d+\)$/, "");
  return { severity: "error", message: plain, ...(loc ? { line: loc.line, column: loc.column + 1 } : {}) };
}

function placeOf(node: { loc?: { start: { line: number; column: number } } | null | undefined }) {
  return node.loc ? { line: node.loc.start.line, column: node.loc.start.column + 1 } : {};
}
