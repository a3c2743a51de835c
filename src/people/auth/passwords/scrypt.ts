import { scrypt as nodeScrypt } from "node:crypto";
import type { Scrypt } from "../../../ports.ts";

const hashBytes = 32;

/** In this very thread, where the runtime has no others. */
export const scrypt: Scrypt = (password, salt, { ln, r, p }) => {
  const N = 2 ** ln;
  return new Promise((resolve, reject) => {
    nodeScrypt(password, salt, hashBytes, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
};
