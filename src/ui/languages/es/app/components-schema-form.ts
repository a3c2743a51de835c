import type { AppTexts } from "../../app-texts.ts";
import { number, plural } from "../format.ts";

const characters = (count: number): string => plural(count, { one: "# carácter", other: "# caracteres" });
const entries = (count: number): string => plural(count, { one: "# elemento", other: "# elementos" });

export default {
  required: "Este campo es obligatorio.",
  noNumber: "Escribe un número.",
  noInteger: "Escribe un número entero.",
  noText: "Escribe un texto.",
  noChoice: "Elige uno de los valores.",
  noJson: "No es un JSON válido.",
  noMatch: (pattern) => `No coincide con el patrón ${pattern}`,
  atLeast: (value) => `${number.format(value)} como mínimo.`,
  atMost: (value) => `${number.format(value)} como máximo.`,
  moreThan: (value) => `Más de ${number.format(value)}.`,
  lessThan: (value) => `Menos de ${number.format(value)}.`,
  multipleOf: (value) => `Un múltiplo de ${number.format(value)}.`,
  tooShort: (length) => `${characters(length)} como mínimo.`,
  tooLong: (length) => `${characters(length)} como máximo.`,
  tooFew: (count) => `${entries(count)} como mínimo.`,
  tooMany: (count) => `${entries(count)} como máximo.`,
  isDefault: "Predeterminado",
  backToDefault: "Usar el predeterminado",
  backToDefaultOf: (label) => ` de ${label}`,
  choose: "Elegir",
  json: "Escribe un JSON.",
  entry: (label, at) => `${label}, elemento ${at}`,
  add: "Añadir un elemento",
  addTo: (label) => `Añadir un elemento a ${label}`,
  removeEntry: (label, at) => `Quitar el elemento ${at} de ${label}`,
  noEntries: "Sin elementos.",
  none: "Aquí no hay ajustes.",
} satisfies AppTexts["components/schema-form"];
