import { inLanguage } from "../../../languages/app.ts";

/** Texts of the page about this device. */
export const texts = inLanguage("settings/device", {
  title: "This device",
  sub: "Choices for this browser only.",
  notifications: "Browser notifications",
  notificationsSub: "Shown while you don't look at Parley. Your browser asks you once whether they are allowed.",
  kinds: {
    answers: { label: "Finished answers", hint: "When a model has answered in a tab that you don't look at." },
    mentions: { label: "Mentions in channels", hint: "When somebody writes your name." },
    questions: { label: "Questions that wait", hint: "When a plugin needs your answer to go on." },
  },
  denied:
    "Your browser blocks notifications of this site. Allow them in its settings for this site, then load the page again.",
  unsupported: "This browser can't show notifications of this site.",
  app: "Installed app",
  appSub:
    "Parley in a window of its own, with its unread count on the icon. Other apps can share text and files with it.",
  install: "Install Parley",
  installed: "Parley runs as an installed app.",
  manual: "Choose Install or Add to Home Screen in the menu of your browser.",
});
