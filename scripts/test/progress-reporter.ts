import { writeFileSync } from "node:fs";
import { DefaultReporter, type SerializedError, type TestModule, type TestSpecification } from "vitest/node";
import { errorsBeside } from "./failed-tests.ts";

/**
 * A line for each file that has ended: the time since the run began, its project, and how many of this run have ended. Failures
 * with the beginning of their reasons, and in full at the end.
 * Errors outside tests, which vitest's JSON report leaves out, are written beside it.
 */
export default class ProgressReporter extends DefaultReporter {
  #began = 0;
  #files = 0;
  #ended = 0;

  override onTestRunStart(specifications: ReadonlyArray<TestSpecification>): void {
    super.onTestRunStart(specifications);
    this.#began = performance.now();
    this.#files = specifications.length;
  }

  override onTestRunEnd(...ended: Parameters<DefaultReporter["onTestRunEnd"]>): void {
    super.onTestRunEnd(...ended);
    const [, errors] = ended;
    const { outputFile } = this.ctx.config;
    if (typeof outputFile === "object" && outputFile.json && errors.length > 0)
      writeFileSync(errorsBeside(outputFile.json), JSON.stringify(errors.map(describe)));
  }

  override onTestModuleEnd(module: TestModule): void {
    this.#ended += 1;
    super.onTestModuleEnd(module);
  }

  protected override printTestModule(module: TestModule): void {
    const tests = [...module.children.allTests()];
    const failed = tests.filter((test) => test.result().state === "failed").length;
    const seconds = (module.diagnostic().duration / 1000).toFixed(1);
    const state = module.ok() ? "ok    " : "FAILED";
    const how = failed > 0 ? `${failed} of ${tests.length} tests failed` : `${tests.length} tests`;
    const count = `${this.#ended}`.padStart(String(this.#files).length);
    this.log(
      `${clock(performance.now() - this.#began)}  ${module.project.name.padEnd(7)}  ${count}/${this.#files}  ${state}  ${module.relativeModuleId} (${how}, ${seconds} s)`,
    );
    for (const test of tests)
      for (const { message } of test.result().errors ?? [])
        this.log(`         ${test.fullName}: ${message.slice(0, 500)}`);
  }
}

/** `VITEST_TEST_PATH` and `VITEST_TEST_NAME` name what ran while the error occurred. */
function describe(error: SerializedError): string {
  return `${error["VITEST_TEST_PATH"] ?? "?"} > ${error["VITEST_TEST_NAME"] ?? "outside a test"}\n${error.stack ?? error.message}`;
}

function clock(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
