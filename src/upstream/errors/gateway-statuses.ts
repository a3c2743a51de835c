/**
 * Statuses by which a gateway, or the edge, says that the server behind it did not respond; those above 519 are Cloudflare's
 * (developers.cloudflare.com). 503 is not one: servers use it to say that they are overloaded.
 */
export const gatewayStatuses: ReadonlySet<number> = new Set([502, 504, 520, 521, 522, 523, 524, 525, 526, 530]);
