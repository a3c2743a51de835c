import { parsePictureUrl } from "../../people/users/parse-profile-image.ts";

/** Addresses that webhooks' pictures were served at: clients send back what they got. */
const served = /\/api\/v1\/channels\/webhooks\/[^/]+\/profile\/image(\?|$)/;

/**
 * The change of a picture: undefined to keep it, null to remove it, or what to store.
 * @throws AppError `validation_failed` for anything except an http(s) address or a data URL of a picture
 */
export function readPictureChange(text: string | null | undefined): string | null | undefined {
  if (text === undefined || (text !== null && served.test(text))) return undefined;
  return text === null || text === "" ? null : parsePictureUrl(text);
}
