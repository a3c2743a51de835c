/** What the bodies of requests may cost, unless the settings of these names say otherwise; memory in megabytes. */
export const bodyLimits = { MAX_JSON_VALUES: 50_000, MAX_LARGE_JSON_VALUES: 200_000, MAX_BODY_MEMORY: 96 };
