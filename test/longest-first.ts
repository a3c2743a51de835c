import { BaseSequencer, type TestSpecification } from "vitest/node";
import { longest } from "./run-order.ts";

function rank({ moduleId }: TestSpecification): number {
  const at = longest.findIndex((file) => moduleId.endsWith(file));
  return at === -1 ? longest.length : at;
}

/**
 * The long files first; then, by vitest's own order inside of each project, one file of each project in turn, so that files that
 * mostly wait run beside files that compute.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rest = Object.values(Object.groupBy(sorted, ({ project }) => project.name)).flatMap((group = []) =>
      group.map((file, at) => ({ file, share: at / group.length })),
    );
    const turns = rest.toSorted((a, b) => a.share - b.share).map(({ file }) => file);
    return turns.toSorted((a, b) => rank(a) - rank(b));
  }
}
