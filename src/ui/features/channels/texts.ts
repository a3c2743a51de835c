const count = new Intl.NumberFormat();
const list = new Intl.ListFormat(undefined, { type: "conjunction" });

/** A number with its word: `3 replies`. */
const counted = (n: number, one: string, many: string): string => (n === 1 ? `1 ${one}` : `${count.format(n)} ${many}`);

/** What the pages of channels say; the dialogs of people, webhooks and mentions have texts of their own. */
export const texts = {
  channels: "Channels",
  direct: "Direct messages",
  untitled: "Conversation",

  rail: {
    add: "New channel or conversation",
    make: "New channel",
    browse: "Browse channels",
    write: "Write to somebody",
    all: "All channels",
    failed: "Channels could not be loaded",
    empty: "Channels you are in will be listed here.",
    unread: (n: number, isMore: boolean) => `${isMore ? `more than ${count.format(n)}` : count.format(n)} unread`,
    mentions: (n: number) => (n === 1 ? "1 mention of you" : `${count.format(n)} mentions of you`),
    private: "Private channel",
    public: "Public channel",
    more: (n: number) => `${count.format(n)}+`,
  },

  home: {
    title: "Channels",
    lead: "Places where your team, bots and models write to each other.",
    empty: "You are in no channel yet. Look which ones there are, or make the first one.",
    none: "No messages yet",
    people: (n: number) => counted(n, "person", "people"),
  },

  page: {
    loadFailed: "The channel could not be loaded",
    messagesFailed: "Messages could not be loaded",
    notFound: "There is no channel here for you. It may have been deleted, or it is private and you are not in it.",
    notAllowed:
      "What is said here is for its members. A manager of the channel can add you; as an administrator you can still change its settings.",
    switchedOff: "Channels are switched off here. An administrator can switch them on.",
    noRight: "Your account may not use channels. An administrator can allow it.",
    others: "All channels",
    empty: (name: string) => `This is the beginning of ${name}. Write the first message.`,
    emptyPreview: "Nothing has been said here yet.",
    beginning: (name: string) => `The beginning of ${name}`,
    log: (name: string) => `Messages in ${name}`,
    earlier: "Show earlier messages",
    later: "Show later messages",
    latest: "Latest",
    newBelow: (n: number) => counted(n, "new message", "new messages"),
    newLine: "New",
    today: "Today",
    yesterday: "Yesterday",
    members: (n: number) => counted(n, "member", "members"),
    pins: "Pinned messages",
    search: "Search in this channel",
    settings: "Settings of the channel",
    actions: "More about this channel",
    said: (name: string, text: string) => `${name}: ${text}`,
    manySaid: (n: number) => counted(n, "new message", "new messages"),
  },

  mention: {
    by: (name: string) => `${name} named you in a thread:`,
    more: (n: number) => `and ${count.format(n)} more`,
  },

  preview: {
    text: (name: string) => `You are looking at ${name}. Join to get its messages; writing here joins too.`,
    join: "Join the channel",
    failed: "You have not joined the channel",
  },

  composer: {
    label: (name: string) => `Message to ${name}`,
    labelThread: "Reply in this thread",
    placeholder: (name: string) => `Write to ${name}`,
    placeholderThread: "Reply",
    send: "Send",
    attach: "Attach files",
    quoting: (name: string) => `Quoting ${name}`,
    dropQuote: "Do not quote",
    tooLong: (over: number) =>
      `${counted(over, "character", "characters")} too many. Shorten the message or attach it as a file.`,
  },

  message: {
    edited: "edited",
    pinned: "Pinned",
    deleted: "This message was deleted.",
    bot: "Webhook",
    model: "Model",
    streaming: "is writing",
    failed: "The model did not answer",
    sending: "Sending",
    waiting: "Waits for the connection",
    notSent: "Not sent",
    again: "Send again",
    discard: "Discard",
    from: (name: string, when: string) => `${name}, ${when}`,
    replies: (n: number) => counted(n, "reply", "replies"),
    latestReply: "latest",
    quoted: (name: string) => `In reply to ${name}`,
    quoteGone: "In reply to a message that was deleted",
    showAll: "Show all",
    showLess: "Show less",
  },

  actions: {
    label: (name: string) => `Actions for the message of ${name}`,
    react: "React",
    quote: "Quote",
    thread: "Reply in a thread",
    edit: "Edit",
    pin: "Pin to the channel",
    unpin: "Unpin",
    copy: "Copy text",
    copyLink: "Copy link",
    remove: "Delete",
    stop: "Stop the answer",
    regenerate: "Answer again",
    copied: "Copied.",
    failed: "That did not reach Parley; the message is as it was.",
    notCopied: "The browser does not let this page copy.",
  },

  remove: {
    title: "Delete this message?",
    text: "It will be gone for everybody in the channel.",
    textThread: "Its text will be gone for everybody; the replies below it stay.",
    action: "Delete the message",
    failed: "The message was not deleted",
  },

  edit: {
    label: "Edit your message",
    save: "Save",
    cancel: "Cancel",
    hint: "Escape cancels, Enter saves.",
    failed: "The change was not saved",
  },

  reactions: {
    label: "Reactions",
    choose: "Choose a reaction",
    more: "Add a reaction",
    by: (emoji: string, names: string[], others: number) =>
      `${emoji} ${list.format(others > 0 ? [...names, counted(others, "other", "others")] : names)}`,
    you: "you",
  },

  thread: {
    title: "Thread",
    failed: "The thread could not be loaded",
    gone: "This message does not exist any more.",
    none: "No replies yet.",
    replies: (n: number) => counted(n, "reply", "replies"),
    log: "Replies",
  },

  pins: {
    title: "Pinned messages",
    none: "Nothing is pinned. Pin what people should find again.",
    failed: "Pinned messages could not be loaded",
    show: "Show in the channel",
    more: "Show more",
  },

  search: {
    title: "Search",
    label: "Search in this channel",
    hint: "Type what you remember of the message.",
    none: (query: string) => `Nothing found for “${query}”.`,
    failed: "The search failed",
    results: (n: number) => counted(n, "message found", "messages found"),
    inThread: "in a thread",
    palette: "Messages in channels",
    paletteChannels: "Channels",
  },

  panels: { members: "Members", webhooks: "Webhooks", file: "File" },

  typing: (names: string[], others: number) =>
    `${list.format(others > 0 ? [...names, counted(others, "other", "others")] : names)} ${names.length + others === 1 ? "is" : "are"} writing`,

  keys: {
    group: "Channel",
    send: "Send",
    newline: "Break the line",
    editLast: "Edit your last message (in an empty field)",
    close: "Close the thread or the panel",
  },
};
