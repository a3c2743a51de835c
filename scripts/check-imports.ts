import { globSync } from "node:fs";
import process from "node:process";
import { projectRoot } from "./launch/project-root.ts";
import { measureGraph, valueImports } from "./lint/slice-graph.ts";
import { findOrderBreach, orderExceptions, sliceOf } from "./lint/slice-order.ts";

/**
 * Checks the order of slices over the whole project: no import against it that is not an exception, and no exception that is
 * not needed any more. Prints the figures of the graph.
 */
const files = globSync("src/**/*.ts", { cwd: projectRoot }).map((file) => file.replaceAll("\\", "/"));
const imports = valueImports(
  projectRoot,
  files.filter((file) => !file.startsWith("src/ui/")),
);
const problems = imports.flatMap(({ file, target }) => {
  const breach = findOrderBreach(file, target);
  return breach === undefined ? [] : [`${file} imports ${target}: ${breach}`];
});
for (const { to, files: excepted } of orderExceptions) {
  for (const file of excepted) {
    if (!imports.some((found) => found.file === file && sliceOf(found.target) === to))
      problems.push(
        `${file} does not import ${to} any more: take it off the exceptions in scripts/lint/slice-order.ts`,
      );
  }
}
const { pairs, mutual, largestCycle, sharedFiles } = measureGraph(imports);
const excepted = orderExceptions.flatMap((exception) => exception.files).length;
console.log(
  `${pairs} pairs of slices, ${mutual} of them mutual; largest cycle ${largestCycle}; ${sharedFiles} files imported across slices; ${excepted} files excepted`,
);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
