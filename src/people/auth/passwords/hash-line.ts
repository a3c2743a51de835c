/** Who goes first: known devices and signed-in people, then networks where the account has signed in, then all others. */
const lanes = ["known", "familiar", "strangers"] as const;

export interface Place {
  lane: (typeof lanes)[number];
  /** Whose turns these are within the lane, which goes round from one share to the next. */
  share: string;
}

/** Those who wait, for each lane and in one share of it: a class signs up at once. A check takes about 0.2 s. */
export const maxInLane = 80;
export const maxInShare = 48;
/** Turns that a lane in which somebody waits may be passed over in a row. */
const maxPassedOver = 3;
/** After this many milliseconds without a look, a caller counts as gone: the runtime may drop a request without a word. */
const goneAfterMs = 1000;

export interface Ticket {
  readonly place: Place;
  seenAt: number;
  /** Set when it made room for another share. */
  isRefused: boolean;
}

/** A lane: its shares in the order of their turns, each with its tickets in the order they came. */
type Shares = Map<string, Set<Ticket>>;

/** Who waits for hashing, and whose turn it is: plain data, asked by those who wait. Times are epoch milliseconds. */
export class HashLine {
  readonly #lanes: Shares[] = lanes.map(() => new Map());
  readonly #passedOver: number[] = lanes.map(() => 0);
  #running: { ticket: Ticket; since: number; maxMs: number } | undefined;

  /** False if too many wait in this lane or share. */
  hasRoom(place: Place, now: number): boolean {
    this.#dropGone(now);
    const shares = this.#sharesOf(place);
    const own = shares.get(place.share)?.size ?? 0;
    return own < maxInShare && (countOf(shares) < maxInLane || largestOf(shares).size > own + 1);
  }

  /** Undefined if there is no room. In a full lane the last one of the largest share makes room for a smaller share. */
  join(place: Place, now: number): Ticket | undefined {
    if (!this.hasRoom(place, now)) return undefined;
    const shares = this.#sharesOf(place);
    if (countOf(shares) >= maxInLane) this.#refuse([...largestOf(shares)].at(-1)!);
    const ticket = { place, seenAt: now, isRefused: false };
    this.#add(ticket);
    return ticket;
  }

  /**
   * To be asked again and again, unless it was refused.
   * @param maxMs the turn is over when it takes longer
   * @returns whether the turn has begun
   */
  begin(ticket: Ticket, now: number, maxMs: number): boolean {
    if (ticket.isRefused) return false;
    ticket.seenAt = now;
    // Somebody who was dropped though they still wait goes to the end.
    if (!this.#sharesOf(ticket.place).get(ticket.place.share)?.has(ticket)) this.#add(ticket);
    this.#dropGone(now);
    if (this.#running !== undefined || this.#next() !== ticket) return false;
    this.#noteTurn(ticket);
    this.#running = { ticket, since: now, maxMs };
    return true;
  }

  /** Ends the turn or the wait. */
  leave(ticket: Ticket): void {
    if (this.#running?.ticket === ticket) this.#running = undefined;
    this.#remove(ticket);
  }

  #next(): Ticket | undefined {
    const waiting = [...this.#lanes.keys()].filter((lane) => this.#lanes[lane]!.size > 0);
    const lane = waiting.findLast((index) => this.#passedOver[index]! >= maxPassedOver) ?? waiting[0];
    if (lane === undefined) return undefined;
    const [tickets] = this.#lanes[lane]!.values();
    return tickets!.values().next().value;
  }

  /** The share goes to the end of its lane, and all other lanes where somebody waits were passed over. */
  #noteTurn(ticket: Ticket): void {
    const shares = this.#sharesOf(ticket.place);
    const tickets = shares.get(ticket.place.share)!;
    this.#remove(ticket);
    if (shares.delete(ticket.place.share)) shares.set(ticket.place.share, tickets);
    for (const [index, lane] of this.#lanes.entries())
      this.#passedOver[index] = lane === shares || lane.size === 0 ? 0 : this.#passedOver[index]! + 1;
  }

  #refuse(ticket: Ticket): void {
    ticket.isRefused = true;
    this.#remove(ticket);
  }

  #add(ticket: Ticket): void {
    const shares = this.#sharesOf(ticket.place);
    const tickets = shares.get(ticket.place.share);
    if (tickets) tickets.add(ticket);
    else shares.set(ticket.place.share, new Set([ticket]));
  }

  #remove(ticket: Ticket): void {
    const shares = this.#sharesOf(ticket.place);
    const tickets = shares.get(ticket.place.share);
    if (tickets?.delete(ticket) && tickets.size === 0) shares.delete(ticket.place.share);
  }

  /** Differences either way: the clock may have been set back. */
  #dropGone(now: number): void {
    if (this.#running && Math.abs(now - this.#running.since) > this.#running.maxMs) this.#running = undefined;
    for (const shares of this.#lanes)
      for (const tickets of shares.values())
        for (const ticket of tickets) if (Math.abs(now - ticket.seenAt) > goneAfterMs) this.#remove(ticket);
  }

  #sharesOf(place: Place): Shares {
    return this.#lanes[lanes.indexOf(place.lane)]!;
  }
}

function countOf(shares: Shares): number {
  return [...shares.values()].reduce((sum, tickets) => sum + tickets.size, 0);
}

function largestOf(shares: Shares): Set<Ticket> {
  return [...shares.values()].reduce((largest, tickets) => (tickets.size > largest.size ? tickets : largest));
}
