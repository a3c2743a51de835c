import chromium from "@sparticuz/chromium";

/**
 * Unpacks the Chromium of @sparticuz/chromium into TMPDIR and ends. A process of its own, because that package goes by
 * the environment: AWS_LAMBDA_JS_RUNTIME makes it unpack the system libraries too that a bare machine lacks.
 */
await chromium.executablePath();
