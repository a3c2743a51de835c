import { readXml } from "../../xml/read-xml.ts";
import type { ZipPackage } from "../../zip/zip-package.ts";

/** The meaning of a cell's number. */
export type NumberKind = "number" | "date" | "time" | "date and time" | "percent";

const maxStyles = 100_000;

/** The number kinds of cell styles (`s`), from xl/styles.xml. */
export function readNumberKinds(parts: ZipPackage, part: string): NumberKind[] {
  const own = new Map<number, NumberKind>();
  const kinds: NumberKind[] = [];
  let inCells = false;
  const reading = readXml(parts.open(part), {
    open(name, attributes) {
      if (name === "cellXfs") inCells = true;
      if (name === "numFmt" && own.size < maxStyles)
        own.set(attributes.number("numFmtId") ?? -1, kindOfCode(attributes.get("formatCode") ?? ""));
      if (name !== "xf" || !inCells || kinds.length >= maxStyles) return;
      const id = attributes.number("numFmtId") ?? 0;
      kinds.push(own.get(id) ?? builtIn(id));
    },
    close(name) {
      if (name === "cellXfs") inCells = false;
    },
    text: () => undefined,
  });
  for (const _ of reading);
  return kinds;
}

/** The numbers of formats that every program knows (ECMA-376, 18.8.30); 27 to 58 are dates in East Asian versions. */
function builtIn(id: number): NumberKind {
  if (id === 22) return "date and time";
  if ((id >= 18 && id <= 21) || (id >= 45 && id <= 47)) return "time";
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)) return "date";
  return id === 9 || id === 10 ? "percent" : "number";
}

/** By a format such as "yyyy-mm-dd hh:mm": what stands in quotes or brackets is decoration, `[h]` counts hours. */
export function kindOfCode(code: string): NumberKind {
  const bare = code
    .slice(0, 500)
    .replaceAll(/"[^"]*"|\\.|_.|\*./g, "")
    .replaceAll(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, "")
    .split(";")[0]!
    .toLowerCase();
  const hasTime = /[hs]/.test(bare);
  const hasDate = /[yd]/.test(bare) || (!hasTime && /m/.test(bare));
  if (/general/.test(bare)) return "number";
  if (hasDate) return hasTime ? "date and time" : "date";
  if (hasTime) return "time";
  return bare.includes("%") ? "percent" : "number";
}

const day = 86_400_000;
/** Written as people write it. */
const shortNumber = /^-?\d{1,9}(\.\d{1,5})?$/;

/**
 * A number for people: dates as 2026-11-21, times as 14:30:00, percents as 12.5%.
 * @param is1904 whether days are counted from 1904, as on old Macs
 */
export function formatValue(value: string, kind: NumberKind, is1904: boolean): string {
  if (kind === "number" && shortNumber.test(value)) return value;
  const number = Number(value);
  if (value.trim() === "" || !Number.isFinite(number)) return value;
  // 0.1 + 0.2 stands in files as 0.30000000000000004.
  if (kind === "number") return String(Number(number.toPrecision(15)));
  if (kind === "percent") return `${Number((number * 100).toPrecision(12))}%`;
  if (number < 0 || number > 2_958_466) return value;
  // Excel believes in a 29th of February 1900; from March 1900 on its days are those since 1899-12-30.
  const epoch = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, number < 60 ? 31 : 30);
  const text = new Date(epoch + Math.round((number * day) / 1000) * 1000).toISOString();
  if (kind === "date") return text.slice(0, 10);
  if (kind === "time") return number >= 1 ? hours(number) : text.slice(11, 19);
  return `${text.slice(0, 10)} ${text.slice(11, 19)}`;
}

/** More than a day, as timesheets have it: 27:30:00. */
function hours(days: number): string {
  const seconds = Math.round((days * day) / 1000);
  const pad = (value: number) => String(value).padStart(2, "0");
  return `${Math.floor(seconds / 3600)}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`;
}
