import { AppError } from "../../../errors.ts";
import type { CompletionCall, Driver, MessagesCall } from "../driver.ts";
import { wayOut } from "../way-out.ts";
import { answerCompletion } from "./answer-completion.ts";
import { messagesHeaders, messagesRoots } from "./call-provider.ts";
import { listModels } from "./list-provider-models.ts";
import { toMessagesRequest } from "./to-messages-request.ts";

/** Native providers of the Messages API. */
export const messagesNative: Driver = {
  kind: "anthropic",
  listModels,
  complete,
  embed: ({ model }) =>
    Promise.reject(
      new AppError("bad_request", `${model} uses a Messages API: it supports chats but not embeddings`, {
        param: "model",
      }),
    ),
  messages: (call) => post(call, "messages"),
  countTokens: (call) => post(call, "messages/count_tokens"),
};

/** Asks in the provider's dialect, and converts the answer to a chat completion. */
async function complete({ connection, model, body, signal, outbound }: CompletionCall): Promise<Response> {
  const request = toMessagesRequest(body, model);
  const response = await post(
    { connection, model, body: request, headers: new Headers(), signal, outbound },
    "messages",
  );
  return response.ok ? answerCompletion(response, model) : response;
}

async function post(call: MessagesCall, endpoint: string): Promise<Response> {
  const { connection, model, body, headers, signal, outbound } = call;
  const root = connection.apiRoot ?? messagesRoots(connection.baseUrl)[0];
  const accept = body["stream"] === true ? "text/event-stream" : "application/json";
  return wayOut(outbound, connection)(`${root}/${endpoint}`, {
    method: "POST",
    headers: messagesHeaders(connection, { "content-type": "application/json", accept }, headers),
    body: JSON.stringify({ ...body, model }),
    redirect: "manual",
    signal,
  });
}
