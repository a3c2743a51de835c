const number = new Intl.NumberFormat();
const percent = new Intl.NumberFormat(undefined, { style: "percent" });
const plural = new Intl.PluralRules(undefined);
const count = (value: number, one: string, many: string): string =>
  `${number.format(value)} ${plural.select(value) === "one" ? one : many}`;

/** What the page of one's own data says. */
export const texts = {
  title: "Your data",
  sub: "Take your chats along, bring others, and see what you share.",
  take: {
    title: "Take along",
    text: "One file with all your chats and branches. It can be brought back here, or to another service that reads it.",
    action: "Save all chats",
    file: "parley-chats.json",
    notAllowed: "Saving chats takes the permission “Export chats”: an administrator can give it.",
  },
  bring: {
    title: "Bring",
    text: "A file of chats from here, from a service that saves them the same way, or from ChatGPT (conversations.json). They are added to yours.",
    action: "Choose a file",
    notAllowed: "Bringing chats takes the permission “Import chats”: an administrator can give it.",
    progress: (name: string, done: number) => `${name}: ${percent.format(done)}`,
    stop: "Stop",
    stopped: "Stopped. Chats that were in by then are in your list.",
    failed: "The file was not brought in, or not all of it",
  },
  report: {
    imported: (chats: number, messages: number) =>
      `${count(chats, "chat is", "chats are")} in, with ${count(messages, "message", "messages")}.`,
    nothing: "There was no chat in the file.",
    incomplete: "The file ends in the middle: what came before that is in.",
    messagesLeftOut: (value: number) => `${count(value, "message", "messages")} could not be read.`,
    messagesMoved: (value: number) =>
      value === 1
        ? "1 message had lost what it answered: it begins a branch of its own."
        : `${number.format(value)} messages had lost what they answered: they begin branches of their own.`,
    filesLeftOut: (value: number) =>
      `${count(value, "file or picture was", "files and pictures were")} only named in the file.`,
    foldersLeftOut: (value: number) =>
      `${count(value, "chat", "chats")} lay in folders, and can be found in the list now.`,
    leftOut: (value: number) => `${count(value, "chat was", "chats were")} left out:`,
    entry: (position: number, title: string, reason: string) =>
      `${title === "" ? `Number ${number.format(position)}` : title}: ${reason}`,
    more: (value: number) => `and ${count(value, "other", "others")}`,
  },
  shared: {
    title: "Chats that you share",
    none: "You share no chat.",
    failed: "The shared chats could not be loaded",
    columns: { title: "Chat", who: "Who may read it", when: "As of", actions: "Actions" },
    who: { everyone: "Everyone", some: "Chosen people", home: "Everyone here", nobody: "Only you" },
    withdraw: "Withdraw",
    withdrawOf: (title: string) => ` the link of ${title}`,
    withdrawn: (title: string) => `The link of ${title} is withdrawn.`,
    withdrawFailed: "The link was not withdrawn",
    more: "Show more",
  },
};
