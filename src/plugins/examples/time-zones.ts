/**
 * title: Time zones
 * description: Lets models say what time it is anywhere, and when a meeting is for everyone who takes part.
 * version: 1.0.0
 */

class Valves {
  /** Zone that is meant where nobody names one, such as Europe/Lisbon. */
  home_zone: string = "UTC";
}

export default class Tools {
  valves = new Valves();

  /**
   * The date and time now in one time zone.
   * @param zone IANA name of the zone, such as Asia/Tokyo; empty for the home zone
   */
  time_in(zone: string = ""): string {
    return write(new Date(), zone || this.valves.home_zone);
  }

  /**
   * What a time in one place is in other places, for planning meetings.
   * @param time local date and time, such as 2026-03-29T09:30
   * @param from IANA name of the zone that the time is in
   * @param to IANA names of the other zones
   */
  convert_time(time: string, from: string, to: string[]): Record<string, string> {
    const at = instantOf(time, from || this.valves.home_zone);
    return Object.fromEntries([from || this.valves.home_zone, ...to].map((zone) => [zone, write(at, zone)]));
  }
}

function write(at: Date, zone: string): string {
  return new Intl.DateTimeFormat("en-GB", { timeZone: zone, dateStyle: "full", timeStyle: "long" }).format(at);
}

/** The instant at which clocks of the zone show this time; of two (when they are put back) the first. */
function instantOf(time: string, zone: string): Date {
  const wanted = Date.parse(`${time.replace(" ", "T")}Z`);
  if (Number.isNaN(wanted)) throw new Error(`"${time}" is not a date and time such as 2026-03-29T09:30`);
  // Twice: the first guess may lie on the other side of a change of clocks.
  let at = wanted;
  for (let step = 0; step < 2; step++) at = wanted - offsetAt(at, zone);
  return new Date(at);
}

/** How far clocks of the zone are ahead of UTC at an instant, in milliseconds. */
function offsetAt(at: number, zone: string): number {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });
  return Date.parse(`${format.format(at).replace(" ", "T")}Z`) - Math.floor(at / 1000) * 1000;
}
