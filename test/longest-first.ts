import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take long, the longest first: started last, one of them alone would hold up the end of the run. */
const longest = [
  "test/stack/file-chaos.test.ts",
  "test/stack/channels.test.ts",
  "test/stack/sockets.test.ts",
  "test/authorization-matrix.test.ts",
  "test/plugins/python/escapes.test.ts",
  "test/plugins/host/watchdog.test.ts",
  "test/audit/every-change.test.ts",
  "test/stack/webhooks.test.ts",
  "test/files/extraction/processes/large-texts.test.ts",
  "test/stack/stored-plugins.test.ts",
  "test/stack/deprovision.test.ts",
  "test/stack/oidc.test.ts",
  "test/stack/deployment.test.ts",
  "test/stack/finished-replies.test.ts",
];

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
