/** The reactions that are offered, the usual ones first: enough to answer with, few enough to find one at a glance. */
export const emojis: readonly { emoji: string; name: string }[] = [
  { emoji: "👍", name: "thumbs up" },
  { emoji: "❤️", name: "heart" },
  { emoji: "😄", name: "laugh" },
  { emoji: "🎉", name: "party" },
  { emoji: "👀", name: "eyes" },
  { emoji: "✅", name: "done" },
  { emoji: "🙏", name: "thanks" },
  { emoji: "👏", name: "applause" },
  { emoji: "👎", name: "thumbs down" },
  { emoji: "🚀", name: "rocket" },
  { emoji: "💯", name: "hundred" },
  { emoji: "🔥", name: "fire" },
  { emoji: "😮", name: "surprised" },
  { emoji: "😢", name: "sad" },
  { emoji: "😅", name: "relieved" },
  { emoji: "🤔", name: "thinking" },
  { emoji: "🙌", name: "hands up" },
  { emoji: "👋", name: "wave" },
  { emoji: "💪", name: "strong" },
  { emoji: "☕", name: "coffee" },
  { emoji: "⏳", name: "waiting" },
  { emoji: "⚠️", name: "warning" },
  { emoji: "❌", name: "no" },
  { emoji: "❓", name: "question" },
];

/** How many of them stand beside a message without opening the list. */
export const usual = 3;

/** Short names as other clients send them. */
const shortNames: Readonly<Record<string, string>> = {
  "+1": "👍",
  thumbsup: "👍",
  "-1": "👎",
  thumbsdown: "👎",
  heart: "❤️",
  smile: "😄",
  laughing: "😄",
  joy: "😂",
  tada: "🎉",
  eyes: "👀",
  white_check_mark: "✅",
  pray: "🙏",
  clap: "👏",
  rocket: "🚀",
  "100": "💯",
  fire: "🔥",
  open_mouth: "😮",
  cry: "😢",
  thinking: "🤔",
  raised_hands: "🙌",
  wave: "👋",
  muscle: "💪",
  x: "❌",
  question: "❓",
  warning: "⚠️",
};

/** What is shown for the name of a reaction: an emoji, or the name of one between colons where nobody knows it. */
export function emojiOf(name: string): string {
  const short = name.replace(/^:|:$/gu, "");
  if (Object.hasOwn(shortNames, short)) return shortNames[short] ?? name;
  return /^[\w+-]+$/u.test(short) ? `:${short}:` : name;
}

/** Whether it is the name of an emoji between colons. */
export const isCode = (shown: string): boolean => /^:[\w+-]+:$/u.test(shown);

/** Its name in words, where one is known. */
export function emojiName(emoji: string): string {
  return emojis.find((each) => each.emoji === emoji)?.name ?? emoji;
}
