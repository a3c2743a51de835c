import { AnswerText } from "../../../src/chat/answer-text.ts";
import type { ChatResponse, WireMessage } from "../../../src/chat/conversations/schema.ts";
import { runTurn, type TurnEnd } from "../../../src/chat/run-turn.ts";
import { newId } from "../../../src/lib/id.ts";
import type { Person, World } from "../../world.ts";

/** A turn of the web page with the model `scripted`, run to its end as a coordinator does. */
export async function runBackgroundTurn(
  world: World,
  person: Person,
  { content, body = {} }: { content: string; body?: object },
): Promise<{ chatId: string; message: WireMessage; end: TurnEnd }> {
  const answer = await world.call("/api/chat/completions", {
    as: person,
    json: {
      model: "scripted",
      session_id: "s",
      id: newId(),
      parent_id: null,
      user_message: { id: newId(), content },
      background_tasks: { title_generation: false },
      ...body,
    },
  });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  const start = world.live.runs.pop()!;
  let end: TurnEnd | undefined;
  const text = new AnswerText(start.continueFrom);
  await runTurn(world.services, start, text, { ended: (ended) => void (end = ended) }, new AbortController());
  await world.settled();
  const { chat } = (await world.call<ChatResponse>(`/api/v1/chats/${start.chatId}`, { as: person })).body;
  return { chatId: start.chatId, message: chat.history.messages[start.messageId]!, end: end! };
}
