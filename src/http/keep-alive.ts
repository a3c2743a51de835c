/** Milliseconds of silence after which a stream gets a comment: proxies close idle connections, most after 60 to 125 s. */
export const keepAliveMs = 15_000;
