import { AppError } from "../../errors.ts";

export function legalHoldError(cause?: unknown): AppError {
  return new AppError(
    "legal_hold",
    "A legal hold keeps this: nothing of it can be deleted until an administrator lifts the hold",
    { cause },
  );
}
