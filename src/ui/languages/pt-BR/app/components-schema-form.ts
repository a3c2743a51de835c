import type { AppTexts } from "../../app-texts.ts";
import { number, plural } from "../format.ts";

const characters = (count: number): string => plural(count, { one: "# caractere", other: "# caracteres" });
const entries = (count: number): string => plural(count, { one: "# item", other: "# itens" });

export default {
  required: "Este campo é obrigatório.",
  noNumber: "Insira um número.",
  noInteger: "Insira um número inteiro.",
  noText: "Insira um texto.",
  noChoice: "Escolha um dos valores.",
  noJson: "Este JSON não é válido.",
  noMatch: (pattern) => `Não corresponde ao padrão ${pattern}`,
  atLeast: (value) => `No mínimo ${number.format(value)}.`,
  atMost: (value) => `No máximo ${number.format(value)}.`,
  moreThan: (value) => `Mais de ${number.format(value)}.`,
  lessThan: (value) => `Menos de ${number.format(value)}.`,
  multipleOf: (value) => `Um múltiplo de ${number.format(value)}.`,
  tooShort: (length) => `No mínimo ${characters(length)}.`,
  tooLong: (length) => `No máximo ${characters(length)}.`,
  tooFew: (count) => `No mínimo ${entries(count)}.`,
  tooMany: (count) => `No máximo ${entries(count)}.`,
  isDefault: "Padrão",
  backToDefault: "Usar o padrão",
  backToDefaultOf: (label) => ` para ${label}`,
  choose: "Escolher",
  json: "Insira JSON.",
  entry: (label, at) => `${label}, item ${at}`,
  add: "Adicionar item",
  addTo: (label) => `Adicionar um item a ${label}`,
  removeEntry: (label, at) => `Remover o item ${at} de ${label}`,
  noEntries: "Nenhum item.",
  none: "Não há configurações aqui.",
} satisfies AppTexts["components/schema-form"];
