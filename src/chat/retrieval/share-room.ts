/**
 * Divides room: nobody gets more than they want, and unused room goes to the others.
 * @param wanted in the unit of `room`
 */
export function shareRoom(room: number, wanted: readonly number[]): number[] {
  const shares = wanted.map(() => 0);
  let left = Math.max(0, room);
  const order = wanted.map((_, at) => at).sort((a, b) => wanted[a]! - wanted[b]!);
  order.forEach((at, served) => {
    const fair = Math.floor(left / (order.length - served));
    shares[at] = Math.min(Math.max(0, wanted[at]!), fair);
    left -= shares[at];
  });
  return shares;
}
