/** `person.models=600`: so many requests in a minute. */
export const rateLimitPattern =
  /^(person|key|organization|address)\.(all|models|uploads|searches|reads|writes)=(\d{1,7})$/;
