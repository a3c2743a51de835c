import type { Variable } from "./parse-variables.ts";

/** What is wrong with a value; undefined where it can be taken. */
export type ValueProblem = "missing" | "number" | "min" | "max" | "email" | "url";

/** Whether a value fits to what is asked for; an empty one fits wherever it is not required. */
export function checkValue(variable: Variable, value: string): ValueProblem | undefined {
  if (value.trim() === "") return variable.required ? "missing" : undefined;
  if (variable.type === "number" || variable.type === "range") {
    const number = Number(value);
    if (!Number.isFinite(number)) return "number";
    if (variable.min !== "" && number < Number(variable.min)) return "min";
    if (variable.max !== "" && number > Number(variable.max)) return "max";
  }
  if (variable.type === "email" && !/^[^\s@]+@[^\s@]+$/u.test(value.trim())) return "email";
  if (variable.type === "url" && !URL.canParse(value.trim())) return "url";
  return undefined;
}
