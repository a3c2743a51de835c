import { DefaultReporter, type TestModule, type TestSpecification } from "vitest/node";

/** A line for each file that has ended: the time since the run began, its project, and how many of this run have ended. Failures in full at the end. */
export default class ProgressReporter extends DefaultReporter {
  #began = 0;
  #files = 0;
  #ended = 0;

  override onTestRunStart(specifications: ReadonlyArray<TestSpecification>): void {
    super.onTestRunStart(specifications);
    this.#began = performance.now();
    this.#files = specifications.length;
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
  }
}

function clock(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
