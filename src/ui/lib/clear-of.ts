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

/**
 * How far down a box is best: at the top, clear of the main buttons, or at the lower edge, where it covers fewer controls, such as the
 * switches of a table's first rows. Pure.
 * @param down where it is, and stays unless another place is better
 */
export function bestPlace(
  box: Box,
  mains: readonly Box[],
  controls: readonly Box[],
  lowerEdge: number,
  down: number,
): number {
  const covered = (by: number, boxes: readonly Box[]): number =>
    boxes.filter(
      ({ left, right, top, bottom }) =>
        left < box.right && right > box.left && top < box.bottom + by && bottom > box.top + by,
    ).length;
  const low = lowerEdge - 2 * room - box.bottom;
  const places = [clearOf(box, mains, lowerEdge), ...(low > 0 && covered(low, mains) === 0 ? [low] : [])];
  const [first] = places
    .map((place) => ({ place, covers: covered(place, controls), moves: place === down ? 0 : 1 }))
    .toSorted((one, other) => one.covers - other.covers || one.moves - other.moves);
  return first?.place ?? 0;
}
