export type Theme = "system" | "light" | "dark";

const KEY = "parley:theme";

/** The chosen appearance. `public/boot.js` sets the same attribute before the first paint. */
class ThemeChoice {
  value = $state<Theme>(read());

  set(theme: Theme): void {
    this.value = theme;
    if (theme === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
    apply(theme);
  }

  constructor() {
    // A second tab follows.
    addEventListener("storage", (event) => {
      if (event.key !== KEY) return;
      this.value = read();
      apply(this.value);
    });
  }
}

function read(): Theme {
  const stored = localStorage.getItem(KEY);
  return stored === "light" || stored === "dark" ? stored : "system";
}

function apply(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

export const theme = new ThemeChoice();
