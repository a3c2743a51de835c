import type { History, Message } from "../message-tree.ts";

/** What one model has answered to a question that several were asked. */
export interface Column {
  model: string;
  /** Its answers, oldest first: each repetition is one more. */
  versions: string[];
  /** The one that is shown: on the shown branch, else the newest. */
  shown: string;
  /** The shown branch runs through it, so that the conversation goes on from it. */
  isChosen: boolean;
}

/**
 * The answers to a question side by side, in the order in which the models were chosen; undefined where there is nothing to
 * compare: one model was asked, or the answers of the others are gone.
 * @param answerId the answer on the shown branch
 */
export function columnsOf(history: History, answerId: string): Column[] | undefined {
  const answer = history.messages[answerId];
  const question = history.messages[answer?.parentId ?? ""];
  const asked = question?.turnModel === undefined ? (question?.models ?? []) : [];
  if (!question || answer?.role !== "assistant" || asked.length < 2) return undefined;
  const byModel = Map.groupBy(answersTo(history, question), (message) => message.model ?? "");
  if (byModel.size < 2) return undefined;
  const place = (model: string): number => (asked.includes(model) ? asked.indexOf(model) : asked.length);
  return [...byModel]
    .sort(([one], [other]) => place(one) - place(other))
    .map(([model, answers]) => {
      const versions = answers.map(({ id }) => id);
      const isChosen = versions.includes(answerId);
      return { model, versions, shown: isChosen ? answerId : versions.at(-1)!, isChosen };
    });
}

function answersTo(history: History, question: Message): Message[] {
  return question.childrenIds.flatMap((id) => {
    const message = history.messages[id];
    return message?.role === "assistant" ? [message] : [];
  });
}
