const pattern = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+\- ]\d\d:?\d\d)?)?$/i;

/**
 * Seconds since 1970 (with fractions) of an xsd:dateTime (RFC 7643, section 2.3.5) or date; undefined if invalid. UTC
 * if there is no offset. A space before the offset is a plus sign that was lost in a query string.
 */
export function parseInstant(text: string): number | undefined {
  const match = pattern.exec(text);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0));
  const date = new Date(0);
  date.setUTCFullYear(year!, month! - 1, day!);
  const exists = date.getUTCMonth() === month! - 1 && date.getUTCDate() === day!;
  if (!exists || hour! > 23 || minute! > 59 || second! > 59) return undefined;
  const offset = offsetSeconds(match[8]);
  if (offset === undefined) return undefined;
  const fraction = match[7] === undefined ? 0 : Number(`0.${match[7]}`);
  return date.getTime() / 1000 + hour! * 3600 + minute! * 60 + second! + fraction - offset;
}

function offsetSeconds(text: string | undefined): number | undefined {
  if (text === undefined || text.toUpperCase() === "Z") return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(-2));
  if (hours > 14 || minutes > 59) return undefined;
  return (text.startsWith("-") ? -1 : 1) * (hours * 3600 + minutes * 60);
}
