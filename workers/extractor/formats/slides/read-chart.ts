import type { MarkdownWriter } from "../../markdown/markdown-writer.ts";
import { readXml } from "../../xml/read-xml.ts";
import type { ZipPackage } from "../../zip/zip-package.ts";

interface Series {
  name: string;
  categories: string[];
  values: string[];
}

const maxSeries = 100;
const maxPoints = 5000;

/** The numbers of a chart as a table: one row per category, one column per series. */
export function readChart(parts: ZipPackage, part: string, writer: MarkdownWriter): void {
  const { title, series } = readSeries(parts, part);
  if (title !== "") writer.paragraph(title);
  if (series.length === 0) return;
  writer.row(["", ...series.map(({ name }) => name)], true);
  const categories = series.find((one) => one.categories.length > 0)?.categories ?? [];
  const length = Math.max(categories.length, ...series.map(({ values }) => values.length));
  for (let index = 0; index < length; index += 1)
    writer.row([categories[index] ?? String(index + 1), ...series.map(({ values }) => values[index] ?? "")], false);
  writer.endBlock();
}

function readSeries(parts: ZipPackage, part: string): { title: string; series: Series[] } {
  const series: Series[] = [];
  let title = "";
  let current: Series | undefined;
  let place: "name" | "categories" | "values" | undefined;
  let index = 0;
  let text: string | undefined;
  const places: Record<string, typeof place> = {
    tx: "name",
    cat: "categories",
    xVal: "categories",
    val: "values",
    yVal: "values",
  };
  const reading = readXml(parts.open(part), {
    open(name, attributes) {
      if (name === "ser") {
        current = { name: "", categories: [], values: [] };
        if (series.length < maxSeries) series.push(current);
      }
      if (current && name in places) place = places[name];
      if (name === "pt") index = attributes.number("idx") ?? 0;
      if (name === "v" || name === "t") text = "";
    },
    close(name) {
      if (name === "ser") current = undefined;
      if (name in places) place = undefined;
      if (text === undefined || (name !== "v" && name !== "t")) return;
      if (!current) title = title.length < 1000 && name === "t" ? title + text : title;
      else if (place === "name") current.name += text;
      else if (place && index >= 0 && index < maxPoints) current[place][index] = text;
      text = undefined;
    },
    text(piece) {
      if (text !== undefined && text.length < 1000) text += piece;
    },
  });
  for (const _ of reading);
  return { title, series };
}
