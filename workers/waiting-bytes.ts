/** Bytes that may wait for one socket. A reader that is further behind loses the socket, and catches up after it comes back. */
export const maxWaitingBytes = 4_000_000;

/**
 * Whether so much waits for the socket that nothing more may be sent. The runtime's count is exact: it grows with `send`,
 * shrinks as the other end reads, includes what waits behind a close, and keeps the object from hibernating until it is 0.
 */
export function isBehind(socket: WebSocket, maxBytes = maxWaitingBytes): boolean {
  return socket.bufferedAmount > maxBytes;
}
