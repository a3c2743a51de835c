import { keepAliveMs } from "../http/keep-alive.ts";

/** How long more events are waited for after the first one, where the answer ends with them; milliseconds. */
const gatherMs = 200;
/** Bytes that may wait for a reader; one that is further behind comes again and says what it has. */
const maxWaitingBytes = 4_000_000;

export interface FrameStreamOptions {
  /** What the tab saw last; undefined if nothing. */
  seen: { epoch: string; since: number } | undefined;
  isVisible: boolean;
  /** Ends the answer after the first events, or after so many seconds without any; undefined for a stream that goes on. */
  waitSeconds: number | undefined;
}

/**
 * The frames of a tab's socket as server-sent events, for networks that let no sockets through. The socket stays inside the
 * service: who may have it, what was missed and when it ends is decided there. Ids name the place in the numbering.
 * @param socket to the person's object, not accepted yet
 * @param left fires when the reader is gone
 */
export function streamFrames(socket: WebSocket, options: FrameStreamOptions, left: AbortSignal): Response {
  const encoder = new TextEncoder();
  const timers: ReturnType<typeof setTimeout>[] = [];
  let epoch = "";
  let isOver = false;
  let end = () => {};

  function stop(): void {
    isOver = true;
    timers.forEach(clearTimeout);
    socket.close(1000);
  }

  function start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    const write = (lines: string) => {
      if (isOver) return;
      controller.enqueue(encoder.encode(`${lines}\n\n`));
      if (controller.desiredSize! < 0) end();
    };
    end = () => {
      if (isOver) return;
      stop();
      controller.close();
    };
    const endIn = (ms: number) => void timers.push(setTimeout(end, ms));
    const { seen, waitSeconds, isVisible } = options;

    socket.addEventListener("message", ({ data }) => {
      if (typeof data !== "string" || !data.startsWith("{")) return;
      const seq = /^\{"kind":"event","seq":(\d+)/.exec(data)?.[1];
      if (seq === undefined && data.startsWith('{"kind":"welcome"')) {
        const welcome = JSON.parse(data) as { epoch: string; seq: number; replayed: boolean };
        epoch = welcome.epoch;
        // What is replayed comes next: until then the tab has what it had.
        write(welcome.replayed ? `data: ${data}` : `id: ${epoch}:${welcome.seq}\ndata: ${data}`);
        if (waitSeconds === undefined) return;
        endIn(welcome.replayed && welcome.seq === seen?.since ? waitSeconds * 1000 : gatherMs);
      } else {
        write(seq === undefined ? `data: ${data}` : `id: ${epoch}:${seq}\ndata: ${data}`);
        if (waitSeconds !== undefined) endIn(gatherMs);
      }
    });
    socket.addEventListener("close", end);
    socket.addEventListener("error", end);
    socket.accept();
    socket.send(JSON.stringify({ kind: "hello", ...seen }));
    socket.send(JSON.stringify({ kind: "visible", visible: isVisible }));
    timers.push(
      setInterval(() => {
        // So that the socket does not count as forgotten; the answer stays here.
        socket.send("ping");
        write("data: pong");
      }, keepAliveMs),
    );
  }

  left.addEventListener("abort", () => end());
  const body = new ReadableStream<Uint8Array>(
    { start, cancel: stop },
    new ByteLengthQueuingStrategy({ highWaterMark: maxWaitingBytes }),
  );
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
    },
  });
}

/** Reads a `Last-Event-ID`. */
export function readSeen(id: string | undefined): FrameStreamOptions["seen"] {
  const [, epoch, since] = /^([\w-]{1,64}):(\d{1,15})$/.exec(id ?? "") ?? [];
  return epoch === undefined ? undefined : { epoch, since: Number(since) };
}
