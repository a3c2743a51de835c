import { createHash } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";

export interface EchoServer {
  port: number;
  /** Heads of the upgrades that came. */
  heads: IncomingMessage["headers"][];
  /** Connections that are open now. */
  open: Set<Socket>;
  close(): void;
}

/**
 * A WebSocket server (RFC 6455) that sends back each message. Of texts, `flood N` is answered with N messages of 1,000 bytes, and `bye`
 * with the end, code 4001. `/denied` refuses the handshake with 403, `/away` with a redirect to another address.
 */
export async function startEchoServer(): Promise<EchoServer> {
  const heads: IncomingMessage["headers"][] = [];
  const open = new Set<Socket>();
  const server = createServer((_request, response) => response.writeHead(426).end());
  server.on("upgrade", (request, stream) => {
    const socket = stream as Socket;
    socket.on("error", () => socket.destroy());
    heads.push(request.headers);
    if (request.url === "/denied") return void socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
    if (request.url === "/away")
      return void socket.end("HTTP/1.1 302 Found\r\nLocation: http://10.0.0.1/\r\nContent-Length: 0\r\n\r\n");
    const key = `${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const protocol = request.headers["sec-websocket-protocol"]?.split(",")[0];
    socket.write(
      [
        "HTTP/1.1 101 Switching Protocols",
        "Upgrade: websocket",
        "Connection: Upgrade",
        `Sec-WebSocket-Accept: ${createHash("sha1").update(key).digest("base64")}`,
        ...(protocol ? [`Sec-WebSocket-Protocol: ${protocol}`] : []),
        "\r\n",
      ].join("\r\n"),
    );
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    let received = Buffer.alloc(0);
    socket.on("data", (data: Buffer) => {
      received = Buffer.concat([received, data]);
      for (;;) {
        const taken = takeFrame(received);
        if (!taken) return;
        received = received.subarray(taken.length);
        answer(socket, taken.kind, taken.data);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return {
    port,
    heads,
    open,
    close() {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}

function answer(socket: Socket, kind: number, data: Buffer): void {
  const text = kind === 1 ? data.toString() : "";
  const flood = Number(/^flood (\d+)$/.exec(text)?.[1] ?? 0);
  if (flood > 0) for (let n = 0; n < flood; n++) socket.write(frame(1, Buffer.alloc(1000, "x")));
  else if (text === "bye") socket.write(frame(8, Buffer.from("\u000f\u00a1done", "latin1")));
  else if (kind === 8) socket.end(frame(8, data));
  else if (kind < 3) socket.write(frame(kind, data));
}

function frame(kind: number, data: Buffer): Buffer {
  const head = Buffer.alloc(data.length < 126 ? 2 : data.length < 65_536 ? 4 : 10);
  head[0] = 0x80 | kind;
  head[1] = head.length === 2 ? data.length : head.length === 4 ? 126 : 127;
  if (head.length === 4) head.writeUInt16BE(data.length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(data.length), 2);
  return Buffer.concat([head, data]);
}

function takeFrame(received: Buffer): { kind: number; data: Buffer; length: number } | undefined {
  if (received.length < 6) return undefined;
  const short = received[1]! & 0x7f;
  const at = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (received.length < at + 4) return undefined;
  const size = short < 126 ? short : short === 126 ? received.readUInt16BE(2) : Number(received.readBigUInt64BE(2));
  if (received.length < at + 4 + size) return undefined;
  const mask = received.subarray(at, at + 4);
  const data = Buffer.from(received.subarray(at + 4, at + 4 + size)).map(
    (byte: number, index: number) => byte ^ mask[index % 4]!,
  );
  return { kind: received[0]! & 0x0f, data: Buffer.from(data), length: at + 4 + size };
}
