import type * as z from "zod";
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

/** The arguments of a plugin's request in the form of a schema. @throws AppError `validation_failed` */
export function readArguments<S extends z.ZodType>(schema: S, args: unknown): z.output<S> {
  const { success, data, error } = schema.safeParse(args);
  if (success) return data;
  const [issue] = error.issues;
  throw wrong(issue?.path.join(".") || "arguments", issue?.message ?? "invalid");
}
