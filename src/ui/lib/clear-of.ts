export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Room that stays between two boxes, in pixels. */
const room = 8;

/**
 * How far down a box has to move so that it covers none of the others, in pixels. Where there is no such place above the lower edge,
 * it stays where it is: 0. Pure.
 */
export function clearOf(box: Box, others: readonly Box[], lowerEdge: number): number {
  const inTheWay = others
    .filter(({ left, right }) => left < box.right && right > box.left)
    .toSorted((one, other) => one.top - other.top);
  let down = 0;
  for (const { top, bottom } of inTheWay) {
    if (top < box.bottom + down + room && bottom + room > box.top + down) down = bottom + room - box.top;
  }
  return box.bottom + down <= lowerEdge ? down : 0;
}
