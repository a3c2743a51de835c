import type { ZodError } from "zod";
import { AppError } from "../errors.ts";

/** So many problems are named. */
const maxIssues = 100;

/** A validation error with the problems of each field; the first one is the message. */
export function validationError(error: ZodError): AppError {
  const issues = error.issues
    .slice(0, maxIssues)
    .map((issue) => ({ path: issue.path.map(String).join("."), message: issue.message }));
  const { path, message } = issues[0]!;
  return new AppError("validation_failed", path ? `${path}: ${message}` : message, {
    issues,
    ...(path ? { param: path } : {}),
  });
}
