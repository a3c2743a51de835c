import type { HelpPage } from "../guide-page.ts";

export const settingsPage: HelpPage = {
  title: "Settings",
  keywords:
    "setting settings configuration configure environment variable option locked name theme dark light appearance profile picture preferences",
  links: [
    { label: "Your settings", path: "/settings" },
    { label: "Settings of the service", path: "/admin/settings" },
  ],
  sections: [
    {
      heading: "Your own settings",
      text: "[Profile](/settings) holds your name and picture, [Appearance](/settings/appearance) the light or dark theme.",
    },
    {
      heading: "Settings of the service",
      text: "Administrators change them under [Settings](/admin/settings). What an environment variable sets is locked there and says so; the environment always wins.",
    },
    {
      heading: "A wrong environment variable",
      text: "A value that does not fit stops the start; the message names the variable and says what is expected.",
    },
  ],
};
