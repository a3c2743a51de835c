interface StoredMessage {
  id: string;
  parentId: string | null;
  childrenIds: string[];
  role: "user" | "assistant";
  content: string;
  model?: string;
  done?: boolean;
  timestamp: number;
}

/** What people and models write in turn: a few lines, at times with code or a table. */
function textOf(number: number): string {
  if (number % 2 === 0) return `Question in message ${number}: what of the tides at quay ${number % 7}?`;
  const text = `Answer in message ${number}. High water is at ${number % 24}:30, and **the ferry** leaves half an hour later; see the *timetable* of quay ${number % 7}.\n\n- bring a rope\n- call the harbour office at ${1000 + number}`;
  if (number % 10 === 1) return `${text}\n\n\`\`\`js\nconst tide = ${number};\nconsole.log(tide * 2);\n\`\`\``;
  if (number % 10 === 5)
    return `${text}\n\n| Day | Time |\n|---|---|\n| Sunday | ${number % 24}:30 |\n| Monday | ${number % 24}:45 |`;
  return text;
}

/** A chat of so many messages, numbered from 0, as clients send it. */
export function longHistory(messages: number): { currentId: string; messages: Record<string, StoredMessage> } {
  const idOf = (number: number): string => `m${number}`;
  const all = Array.from({ length: messages }, (_, number): StoredMessage => {
    const isAnswer = number % 2 === 1;
    return {
      id: idOf(number),
      parentId: number === 0 ? null : idOf(number - 1),
      childrenIds: number === messages - 1 ? [] : [idOf(number + 1)],
      role: isAnswer ? "assistant" : "user",
      content: textOf(number),
      ...(isAnswer ? { model: "bench-plain", done: true } : {}),
      timestamp: 1_700_000_000 + number,
    };
  });
  return { currentId: idOf(messages - 1), messages: Object.fromEntries(all.map((message) => [message.id, message])) };
}
