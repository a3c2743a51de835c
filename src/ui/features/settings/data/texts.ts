import { inLanguage } from "../../../languages/app.ts";
import { locale } from "../../../lib/language.ts";

const number = new Intl.NumberFormat(locale);
const percent = new Intl.NumberFormat(locale, { style: "percent" });
const plural = new Intl.PluralRules(locale);
const count = (value: number, one: string, many: string): string =>
  `${number.format(value)} ${plural.select(value) === "one" ? one : many}`;

/** Texts of the page of a person's own data. */
export const texts = inLanguage("settings/data", {
  title: "Your data",
  sub: "Export and import chats, and see what you share.",
  take: {
    title: "Export",
    text: "Download one file with all your chats and branches. You can import it into Parley or Open WebUI.",
    action: "Export all chats",
    file: "parley-chats.json",
    notAllowed: "You need the permission “Export chats”. An administrator can give it to you.",
  },
  copy: {
    text: "Or download everything about you as a zip file: chats, files, knowledge, prompts, channel messages, usage and audit log entries. It has no passwords or keys. You can import the chats from it below, and an administrator of another Parley can import the rest. One download at a time.",
    action: "Download my data",
    file: "parley-data.zip",
  },
  bring: {
    title: "Import",
    text: "A file of chats exported from Parley, Open WebUI or LibreChat, the zip file of your data in Parley, or the zip file that ChatGPT or Claude sends you. The chats are added to yours.",
    action: "Choose a file",
    notAllowed: "You need the permission “Import chats”. An administrator can give it to you.",
    progress: (name: string, done: number) => `${name}: ${percent.format(done)}`,
    stop: "Stop",
    stopped: "Stopped. The chats imported so far are in your list.",
    failed: "The file couldn't be imported completely",
  },
  report: {
    imported: (chats: number, messages: number) =>
      `${count(chats, "chat", "chats")} imported, with ${count(messages, "message", "messages")}.`,
    nothing: "The file contains no chats.",
    incomplete: "The file is incomplete. Everything before the missing part was imported.",
    messagesLeftOut: (value: number) => `${count(value, "message", "messages")} couldn't be read.`,
    messagesMoved: (value: number) =>
      value === 1
        ? "1 message had no parent message and now starts its own branch."
        : `${number.format(value)} messages had no parent message and now start their own branches.`,
    filesLeftOut: (value: number) =>
      `${count(value, "file or picture was", "files and pictures were")} not included in the file.`,
    foldersLeftOut: (value: number) =>
      `${count(value, "chat was in a folder and is", "chats were in folders and are")} now in the list.`,
    leftOut: (value: number) => `${count(value, "chat was", "chats were")} skipped:`,
    entry: (position: number, title: string, reason: string) =>
      `${title === "" ? `Chat ${number.format(position)}` : title}: ${reason}`,
    more: (value: number) => `and ${count(value, "other", "others")}`,
  },
  kept: {
    title: "How long your data is kept",
    failed: "How long your data is kept couldn't be loaded",
    forever: "Until you delete it.",
    chats: (days: number) => `Chats are removed ${count(days, "day", "days")} after their last change.`,
    files: (days: number) =>
      `Files are removed ${count(days, "day", "days")} after their upload, unless a chat, a channel or a knowledge base has them.`,
    channel_messages: (days: number) =>
      `Channel messages are removed ${count(days, "day", "days")} after they were posted.`,
    logs: (days: number) =>
      `Records of your calls, and stored API responses, are removed after ${count(days, "day", "days")}.`,
  },
  shared: {
    title: "Shared chats",
    none: "You haven't shared any chats.",
    failed: "The shared chats couldn't be loaded",
    columns: { title: "Chat", who: "Who can read it", when: "As of", actions: "Actions" },
    who: { everyone: "Everyone", some: "Selected people", home: "Everyone here", nobody: "Only you" },
    withdraw: "Remove",
    withdrawOf: (title: string) => ` the link of ${title}`,
    withdrawn: (title: string) => `The link of ${title} was removed.`,
    withdrawFailed: "The link couldn't be removed",
    more: "Show more",
  },
});
