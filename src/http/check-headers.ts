import { AppError, type Issue } from "../errors.ts";
import { findHeaderProblem, maskedValue } from "./header-rules.ts";

/**
 * The headers as they are to be kept: a masked value stands for the one that is stored under the same name.
 * @throws AppError `validation_failed` that names each header that may not be set.
 */
export function checkedHeaders(given: Record<string, string>, stored: Record<string, string>): Record<string, string> {
  const kept = new Map(Object.entries(stored).map(([name, value]) => [name.toLowerCase(), value]));
  const issues: Issue[] = [];
  const seen = new Set<string>();
  const headers: Record<string, string> = {};
  for (const [name, text] of Object.entries(given)) {
    const trimmed = text.trim();
    const value = trimmed === maskedValue ? kept.get(name.toLowerCase()) : trimmed;
    const problem =
      value === undefined
        ? `No value is stored for ${name}: enter one`
        : seen.has(name.toLowerCase())
          ? `The header ${name} is listed twice`
          : findHeaderProblem(name, value);
    if (problem) issues.push({ path: `headers.${name}`, message: problem });
    else headers[name] = value!;
    seen.add(name.toLowerCase());
  }
  if (issues.length > 0) throw refused(issues);
  return headers;
}

/** A 422 that names what is wrong with each field. */
export function refused(issues: Issue[]): AppError {
  return new AppError("validation_failed", issues[0]!.message, { issues, param: issues[0]!.path });
}
