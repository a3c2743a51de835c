import net from "node:net";
import type { Duplex } from "node:stream";
import tls from "node:tls";
import type { ConnectMail, MailSocket } from "../src/ports.ts";

/** The way to the mail server in this process. Its certificate is not looked at: that is tested in the runtime. */
export const connectMailByNode: ConnectMail = ({ host, port, security }) =>
  security === "tls"
    ? wrap(tls.connect({ host, port, rejectUnauthorized: false }), "secureConnect")
    : wrap(net.connect({ host, port }), "connect");

function wrap(socket: net.Socket, event: "connect" | "secureConnect"): MailSocket {
  const opened = new Promise<void>((resolve, reject) => {
    socket.once(event, () => resolve());
    socket.once("error", reject);
  });
  socket.on("error", () => undefined);
  opened.catch(() => undefined);
  let streams: { readable: ReadableStream<Uint8Array>; writable: WritableStream<Uint8Array> } | undefined;
  const open = () => (streams ??= streamsOf(socket));
  return {
    get readable() {
      return open().readable;
    },
    get writable() {
      return open().writable;
    },
    opened,
    startTls: () => wrap(tls.connect({ socket, rejectUnauthorized: false }), "secureConnect"),
    close: async () => void socket.destroy(),
  };
}

/** Not by `Duplex.toWeb`: it would keep the socket when encryption begins. */
function streamsOf(socket: Duplex) {
  const readable = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const take = () => {
          const chunk = socket.read() as Buffer | null;
          if (chunk === null) return false;
          controller.enqueue(new Uint8Array(chunk));
          return true;
        };
        if (take()) return;
        await new Promise<void>((resolve) => {
          const look = () => {
            if (!take()) {
              if (!socket.readableEnded && !socket.destroyed) return;
              controller.close();
            }
            for (const name of events) socket.off(name, look);
            resolve();
          };
          const events = ["readable", "end", "close"] as const;
          for (const name of events) socket.on(name, look);
        });
      },
    },
    { highWaterMark: 0 },
  );
  const writable = new WritableStream<Uint8Array>({
    write: (chunk) =>
      new Promise<void>((resolve, reject) => socket.write(chunk, (error) => (error ? reject(error) : resolve()))),
  });
  return { readable, writable };
}
