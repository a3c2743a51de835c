"""Which package has a module that is missing: what an administrator is told to add."""

import re

# Packages whose name is not what is imported. Of several that fit, the longest counts.
_DISTRIBUTION_OF = {
    "atlassian": "atlassian-python-api",
    "bs4": "beautifulsoup4",
    "c2pa": "c2pa-python",
    "Crypto": "pycryptodome",
    "Cryptodome": "pycryptodomex",
    "cv2": "opencv-python",
    "dateutil": "python-dateutil",
    "discord": "discord-py",
    "dns": "dnspython",
    "docx": "python-docx",
    "dotenv": "python-dotenv",
    "finnhub": "finnhub-python",
    "firecrawl": "firecrawl-py",
    "fitz": "pymupdf",
    "git": "gitpython",
    "github": "pygithub",
    "gitlab": "python-gitlab",
    "google.api_core": "google-api-core",
    "google.auth": "google-auth",
    "google.generativeai": "google-generativeai",
    "google.genai": "google-genai",
    "google.oauth2": "google-auth",
    "google.protobuf": "protobuf",
    "googleapiclient": "google-api-python-client",
    "jose": "python-jose",
    "jwt": "pyjwt",
    "linkup": "linkup-sdk",
    "magic": "python-magic",
    "nacl": "pynacl",
    "newsapi": "newsapi-python",
    "OpenSSL": "pyopenssl",
    "opentelemetry": "opentelemetry-api",
    "PIL": "pillow",
    "pptx": "python-pptx",
    "psycopg2": "psycopg2-binary",
    "pyannote": "pyannote-audio",
    "readability": "readability-lxml",
    "serpapi": "google-search-results",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "slugify": "python-slugify",
    "socks": "pysocks",
    "tavily": "tavily-python",
    "telegram": "python-telegram-bot",
    "websocket": "websocket-client",
    "whisper": "openai-whisper",
    "wikipediaapi": "wikipedia-api",
    "yaml": "pyyaml",
    "zmq": "pyzmq",
}
# Many packages share these: what is below them says which one is meant.
_SHARED = re.compile(r"(google\.cloud|azure(?:\.\w+)?)\.\w+")
NAMESPACES = frozenset({"google", "google.cloud", "google.ai", "azure", "azure.ai"})
# Parts of Open WebUI or of the author's own project. Packages with these names are something else, from anybody.
_NO_PACKAGES = frozenset("app apps backend config constants lib main models plugins src test tests tools utils".split())

# Names of packages that the source says it requires, normalized.
_required = []


def expect(requirements):
    """@param requirements value of `requirements:` in the frontmatter"""
    matches = (re.match(r"\s*([A-Za-z0-9][\w.-]*)", part) for part in re.split(r",(?![^\[]*\])", requirements))
    _required[:] = [normalize(match[1]) for match in matches if match]


def normalize(name):
    return re.sub(r"[-_.]+", "-", name).strip("-").lower()


def has_own_name(module):
    """Whether a module belongs to a package that is known, also where others share its first name."""
    return _known(module) is not None


def _known(module):
    names = [name for name in _DISTRIBUTION_OF if module == name or module.startswith(f"{name}.")]
    return _DISTRIBUTION_OF[max(names, key=len)] if names else None


def distribution_of(module):
    """The normalized name of the package that most likely has a module; None where that is nobody's or everybody's name."""
    known = _known(module)
    if known is not None:
        return known
    shared = _SHARED.match(module)
    if shared:
        return normalize(shared[0])
    package = normalize(module.partition(".")[0])
    if package in NAMESPACES or (package in _NO_PACKAGES and package not in _required):
        return None
    if package not in _required:
        # `import copilot` of github-copilot-sdk: another one may have the plain name.
        relatives = [name for name in _required if set(package.split("-")) <= set(name.split("-"))]
        if len(relatives) == 1:
            return relatives[0]
    return package
