const key = "parley:wrap-code";
const attribute = "data-wrap-code";

function stored(): boolean {
  try {
    return localStorage.getItem(key) === "1";
  } catch {
    return false;
  }
}

/** Whether long lines of code are wrapped: one choice for all blocks, which this browser remembers. */
export const codeWrap = {
  isOn: stored(),

  toggle(): void {
    codeWrap.isOn = !codeWrap.isOn;
    try {
      if (codeWrap.isOn) localStorage.setItem(key, "1");
      else localStorage.removeItem(key);
    } catch {
      // Without storage the choice lasts as long as the page.
    }
    codeWrap.apply();
  },

  /** The style sheet reads the attribute; buttons that are on the page already say the same. */
  apply(): void {
    document.documentElement.toggleAttribute(attribute, codeWrap.isOn);
    for (const button of document.querySelectorAll<HTMLElement>('.code button[data-code="wrap"]'))
      button.ariaPressed = String(codeWrap.isOn);
  },
};
