import type { Locator } from "playwright-core";

/** Whether a press anywhere on its middle line meets it. */
export const isUncovered = (button: Locator): Promise<boolean> =>
  button.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return [0.1, 0.5, 0.9].every((at) =>
      element.contains(document.elementFromPoint(left + width * at, top + height / 2)),
    );
  });
