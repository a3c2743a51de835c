import { normalizeName } from "./wheel-index.ts";

/** Packages whose name is not what is imported: what people write, and the package that they mean. */
const packageOf: Readonly<Record<string, string>> = {
  attr: "attrs",
  bs4: "beautifulsoup4",
  crypto: "pycryptodome",
  cv2: "opencv-python",
  dateutil: "python-dateutil",
  docx: "python-docx",
  dotenv: "python-dotenv",
  fitz: "pymupdf",
  git: "gitpython",
  github: "pygithub",
  "google-generativeai": "google-generativeai",
  "google-oauth2": "google-auth",
  googleapiclient: "google-api-python-client",
  jose: "python-jose",
  jwt: "pyjwt",
  magic: "python-magic",
  mysqldb: "mysqlclient",
  newsapi: "newsapi-python",
  opentelemetry: "opentelemetry-api",
  pil: "pillow",
  pptx: "python-pptx",
  serpapi: "google-search-results",
  skimage: "scikit-image",
  sklearn: "scikit-learn",
  slugify: "python-slugify",
  telegram: "python-telegram-bot",
  websocket: "websocket-client",
  whisper: "openai-whisper",
  wikipediaapi: "wikipedia-api",
  "youtube-transcript": "youtube-transcript-api",
  yaml: "pyyaml",
};

/** The package behind a name: its own, or the usual one for a name that is imported (`PIL`, `google.genai`). */
export function packageNamed(name: string): string {
  const normal = normalizeName(name);
  return packageOf[normal] ?? normal;
}

/** Packages that others like to be taken for, beside those above. */
const known = [
  "aiofiles", "aiohttp", "anthropic", "anyio", "cachetools", "certifi", "chardet", "click", "colorama", "cryptography",
  "feedparser", "google-genai", "httpx", "idna", "jinja2", "jsonschema", "langchain", "langchain-core", "langfuse", "loguru",
  "lxml", "markdown", "markdownify", "matplotlib", "mcp", "networkx", "numpy", "openai", "openpyxl", "orjson", "packaging", "pandas",
  "pydantic", "pypdf", "pytz", "regex", "requests", "rich", "scipy", "setuptools", "six", "soupsieve", "sqlalchemy", "tabulate",
  "tenacity", "tiktoken", "tqdm", "typing-extensions", "urllib3", "websockets", "xmltodict", "yfinance", "youtube-transcript-api", "yt-dlp",
]; // prettier-ignore
const wellKnown = new Set([...known, ...Object.values(packageOf)]);

/** The well-known package whose name this one differs from by a letter or by its dashes; undefined for a well-known one itself. */
export function lookAlike(name: string): string | undefined {
  const normal = normalizeName(name);
  // In short names one letter makes another word.
  if (wellKnown.has(normal) || normal.length < 5) return undefined;
  const plain = (text: string) => text.replaceAll("-", "");
  return [...wellKnown].find((each) => each.length >= 5 && isNear(plain(normal), plain(each)));
}

/** Whether at most one letter was changed, added, left out, or swapped with the next one. */
function isNear(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const restA = a.slice(at);
  const restB = b.slice(at);
  return (
    restA.slice(1) === restB.slice(1) ||
    restA === restB.slice(1) ||
    restA.slice(1) === restB ||
    (restA.slice(2) === restB.slice(2) && restA[0] === restB[1] && restA[1] === restB[0])
  );
}
