import { AppError } from "../../errors.ts";

/** An argument of a plugin's request that has to be a text. @throws AppError `validation_failed` */
export function textOf(name: string, value: unknown): string {
  if (typeof value !== "string" || value === "") throw wrong(name, "expected a string");
  return value;
}

export function wrong(param: string, message: string, cause?: unknown): AppError {
  return new AppError("validation_failed", `${param}: ${message}`, { param, cause });
}

/** Pages are counted from 1, which is the default. @throws AppError `validation_failed` */
export function pageOf(value: unknown): number {
  if (value === undefined || value === null) return 1;
  if (typeof value !== "number" || !Number.isInteger(value) || value < 1 || value > 1_000_000)
    throw wrong("page", "expected a whole number from 1 on");
  return value;
}
