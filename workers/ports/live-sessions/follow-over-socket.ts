import { AppError } from "../../../src/errors.ts";
import type { Refusal } from "../../../src/events/rights-checker.ts";
import type { Followed } from "../../../src/ports.ts";
import type { CompletionNote } from "../../session/completion-sockets.ts";

/** Carries what is followed to the object, as JSON in escapes: header values are bytes. */
export const followedHeader = "x-parley-followed";
/** Rights that nobody has looked at for so long are looked at when the following begins; milliseconds. */
const staleAfterMs = 5000;
/** Between two questions whether all is still well, in case that word of a change was lost; milliseconds. */
const checkEveryMs = 60_000;
const firstRetryMs = 1000;
const maxRetryMs = 60_000;

/** What the object is told. `isStale` asks it to look at the rights at once. */
export interface FollowRequest extends CompletionNote {
  isStale: boolean;
}

/**
 * Follows a completion's rights over a socket to the coordinator of its person. A coordinator that is gone stops nothing:
 * another is asked after a while, which then looks at once, because word of a change may have been lost.
 * @param onRefused called once; only then does the coordinator, which waits for it, hear that the completion has ended
 */
export function followOverSocket(
  coordinator: () => Pick<Fetcher, "fetch">,
  { since, ...note }: Followed,
  onRefused: (error: AppError) => void,
): { end(): void } {
  let socket: WebSocket | undefined;
  let hasEnded = false;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let checks: ReturnType<typeof setInterval> | undefined;

  function end(): void {
    if (hasEnded) return;
    hasEnded = true;
    clearTimeout(timer);
    clearInterval(checks);
    socket?.close(1000);
  }

  function lost(): void {
    if (hasEnded) return;
    socket = undefined;
    clearInterval(checks);
    timer = setTimeout(() => void open(true), Math.min(maxRetryMs, firstRetryMs * 2 ** failures));
    failures += 1;
  }

  async function open(isStale: boolean): Promise<void> {
    const request: FollowRequest = { ...note, isStale };
    const headers = { upgrade: "websocket", [followedHeader]: encodeURIComponent(JSON.stringify(request)) };
    let opened: WebSocket | null;
    try {
      ({ webSocket: opened } = await coordinator().fetch("http://coordinator/", { headers }));
    } catch {
      return lost();
    }
    if (!opened) return lost();
    opened.accept();
    if (hasEnded) return opened.close(1000);
    socket = opened;
    checks = setInterval(() => opened.send("look"), checkEveryMs);
    opened.addEventListener("message", ({ data }) => {
      if (hasEnded) return;
      const { code, message } = JSON.parse(data as string) as Refusal;
      onRefused(new AppError(code, message));
      end();
    });
    opened.addEventListener("close", lost);
    opened.addEventListener("error", lost);
  }

  void open(Date.now() - since > staleAfterMs);
  return { end };
}
