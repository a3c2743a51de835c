import type { HelpPage } from "../guide-page.ts";

export const sessionsPage: HelpPage = {
  title: "Sessions and passwords",
  keywords:
    "sign in login log in logout sign out password forgot change stolen token device session expire jwt security locked out too many",
  links: [
    { label: "Sessions", path: "/settings/sessions" },
    { label: "Password", path: "/settings/password" },
  ],
  sections: [
    {
      heading: "See and end your sessions",
      text: "[Sessions](/settings/sessions) lists every browser and script that is signed in as you, with its last use, and ends any of them at once. Signing out ends the session you are in.",
    },
    {
      heading: "Change your password",
      text: "Under [Password](/settings/password). Tokens that were given out before stop working, so a stolen one is worth nothing afterwards. If you have forgotten it, ask an administrator.",
    },
    {
      heading: "How long a session lasts",
      text: "Four weeks, unless the setting `JWT_EXPIRES_IN` says otherwise (`12h`, `4w`, `-1` for no end).",
    },
    {
      heading: "Too many wrong passwords",
      text: "After several wrong passwords the next try has to wait; the page says how long. The right password from where you usually are is never locked out for good.",
    },
  ],
};
