import { inLanguage } from "../../languages/app.ts";
import { locale } from "../../lib/language.ts";

const count = new Intl.NumberFormat(locale);
const list = new Intl.ListFormat(locale, { type: "conjunction" });

/** A number with its word: `3 replies`. */
const counted = (n: number, one: string, many: string): string => (n === 1 ? `1 ${one}` : `${count.format(n)} ${many}`);

/** Texts of the pages of channels; the dialogs of people, webhooks and mentions have texts of their own. */
export const texts = inLanguage("channels", {
  channels: "Channels",
  direct: "Direct messages",
  untitled: "Conversation",

  rail: {
    add: "New channel or conversation",
    make: "New channel",
    browse: "Browse channels",
    write: "New message",
    all: "All channels",
    failed: "Channels couldn't be loaded",
    empty: "Your channels will be listed here.",
    unread: (n: number, isMore: boolean) => `${isMore ? `more than ${count.format(n)}` : count.format(n)} unread`,
    mentions: (n: number) => (n === 1 ? "1 mention of you" : `${count.format(n)} mentions of you`),
    private: "Private channel",
    public: "Public channel",
    more: (n: number) => `${count.format(n)}+`,
  },

  home: {
    title: "Channels",
    lead: "Where your team, bots and models talk to each other.",
    empty: "You are not in a channel yet. Browse the channels, or create the first one.",
    none: "No messages yet",
    people: (n: number) => counted(n, "person", "people"),
  },

  page: {
    loadFailed: "The channel couldn't be loaded",
    messagesFailed: "Messages couldn't be loaded",
    notFound: "This channel doesn't exist, or it is private and you are not a member.",
    notAllowed:
      "Only members can read this channel. A manager of the channel can add you. As an administrator, you can still change its settings.",
    switchedOff: "Channels are switched off here. An administrator can switch them on.",
    noRight: "Your account isn't allowed to use channels. An administrator can allow it.",
    others: "All channels",
    empty: (name: string) => `This is the beginning of ${name}. Write the first message.`,
    emptyPreview: "No messages yet.",
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
    settings: "Channel settings",
    actions: "More channel actions",
    said: (name: string, text: string) => `${name}: ${text}`,
    manySaid: (n: number) => counted(n, "new message", "new messages"),
  },

  mention: {
    by: (name: string) => `${name} mentioned you in a thread:`,
    more: (n: number) => `and ${count.format(n)} more`,
  },

  preview: {
    text: (name: string) => `You are viewing ${name}. Join to get its messages. Posting a message also joins.`,
    join: "Join channel",
    failed: "You couldn't join the channel",
  },

  composer: {
    label: (name: string) => `Message to ${name}`,
    labelThread: "Reply in this thread",
    placeholder: (name: string) => `Write to ${name}`,
    placeholderThread: "Reply",
    attach: "Attach files",
    quoting: (name: string) => `Quoting ${name}`,
    dropQuote: "Remove quote",
    tooLong: (over: number) =>
      `The message is ${counted(over, "character", "characters")} too long. Shorten it or attach it as a file.`,
  },

  message: {
    edited: "edited",
    pinned: "Pinned",
    deleted: "This message was deleted.",
    bot: "Webhook",
    service: "Service account",
    model: "Model",
    streaming: "is writing",
    failed: "The model didn't answer",
    sending: "Sending",
    waiting: "Waiting for the connection",
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
    label: (name: string) => `Actions for the message from ${name}`,
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
    failed: "That didn't work. The message is unchanged.",
    notCopied: "The browser blocked copying.",
  },

  remove: {
    title: "Delete this message?",
    text: "It will be deleted for everyone in the channel.",
    textThread: "Its text will be deleted for everyone. The replies are kept.",
    action: "Delete message",
    failed: "The message couldn't be deleted",
  },

  edit: {
    label: "Edit your message",
    save: "Save",
    cancel: "Cancel",
    hint: "Press Escape to cancel, Enter to save.",
    failed: "The change couldn't be saved",
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
    failed: "The thread couldn't be loaded",
    gone: "This message no longer exists.",
    none: "No replies yet.",
    replies: (n: number) => counted(n, "reply", "replies"),
    log: "Replies",
  },

  pins: {
    title: "Pinned messages",
    none: "No pinned messages. Pin messages that people should find again.",
    failed: "Pinned messages couldn't be loaded",
    show: "Show in the channel",
    more: "Show more",
  },

  search: {
    title: "Search",
    label: "Search in this channel",
    hint: "Enter words from the message.",
    none: (query: string) => `No messages match “${query}”.`,
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
    newline: "New line",
    editLast: "Edit your last message (in an empty field)",
    close: "Close the thread or the panel",
  },
});
