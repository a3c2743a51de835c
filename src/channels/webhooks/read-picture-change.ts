import { parsePictureUrl } from "../../people/users/parse-profile-image.ts";

/** Addresses that webhooks' pictures were served at: clients send back what they got. */
const served = /\/api\/v1\/channels\/webhooks\/[^/]+\/profile\/image(\?|$)/;

/**
 * What is to become of a picture: undefined when it stays, null when there is to be none, or what to store.
 * @throws AppError `validation_failed` for anything but an http(s) address or a data URL of a picture
 */
export function readPictureChange(text: string | null | undefined): string | null | undefined {
  if (text === undefined || (text !== null && served.test(text))) return undefined;
  return text === null || text === "" ? null : parsePictureUrl(text);
}
