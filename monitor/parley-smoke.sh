#!/bin/sh
# The three levels of health of a Parley service, where there is no Node: POSIX sh, curl and awk.
#
#   PARLEY_KEY=sk-... sh parley-smoke.sh --url https://parley.example
#
# Prints one line for each level. Exit codes: 0 all passed; 1, 2 or 3 the first level that failed; 64 called wrongly;
# 69 no curl; 74 the key cannot be read.
set -u
LC_ALL=C
export LC_ALL

usage() {
  cat <<EOF
Usage: parley-smoke.sh --url URL [options]

  --url URL            address of the service, with its base path; PARLEY_URL when left out, or http://127.0.0.1:8080
  --key-file FILE      reads the API key from a file; otherwise PARLEY_KEY is the key
  --model MODEL        which model level 3 asks; the first of the list when left out
  --word WORD          what the model is asked to repeat; pong when left out
  --max-tokens NUMBER  how many tokens the model may write; 512 when left out, 0 sends no limit
  --timeout SECONDS    of each level; 60 when left out
  --level 1|2|3        stops after this level
EOF
}

wrong() {
  printf '%s\n' "$1" >&2
  exit 64
}

url=${PARLEY_URL:-http://127.0.0.1:8080} key=${PARLEY_KEY:-} model='' word=pong tokens=512 timeout=60 last=3
while [ $# -gt 0 ]; do
  case "$1" in
    --help | -h)
      usage
      exit 0
      ;;
    --url | --key-file | --model | --word | --max-tokens | --timeout | --level)
      [ $# -ge 2 ] || wrong "$1 needs a value"
      case "$1" in
        --url) url=$2 ;;
        --key-file)
          key=$(cat -- "$2") || exit 74
          ;;
        --model) model=$2 ;;
        --word) word=$2 ;;
        --max-tokens) tokens=$2 ;;
        --timeout) timeout=$2 ;;
        --level) last=$2 ;;
      esac
      shift 2
      ;;
    *) wrong "Unknown option $1; --help lists them" ;;
  esac
done
case "$url" in
  http://?* | https://?*) ;;
  *) wrong "--url is \"$url\", expected an http or https address" ;;
esac
case "$timeout" in
  '' | *[!0-9]* | 0) wrong "--timeout is \"$timeout\", expected seconds" ;;
esac
case "$tokens" in
  '' | *[!0-9]*) wrong "--max-tokens is \"$tokens\", expected a number" ;;
esac
case "$last" in
  1 | 2 | 3) ;;
  *) wrong "--level is \"$last\", expected 1, 2 or 3" ;;
esac
[ -n "$word" ] || wrong "--word is empty, expected a word for the model to repeat"
url=${url%/}
command -v curl >/dev/null 2>&1 || {
  echo "curl is not installed" >&2
  exit 69
}

folder=$(mktemp -d "${TMPDIR:-/tmp}/parley-smoke.XXXXXX") || exit 74
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
answer=$folder/answer

# The value at a path of the JSON in the file: data[0].id. For a list, `#` behind its path gives its length. Empty where there is none.
json() {
  want=$1 awk '
    function skip() { while (substr(s, i, 1) ~ /^[ \t\r\n]$/) i++ }
    function text(  out, part, c, code) {
      i++
      while (i <= n) {
        part = substr(s, i, 512)
        if (match(part, /["\\]/)) part = substr(part, 1, RSTART - 1)
        out = out part
        i += length(part)
        c = substr(s, i, 1)
        if (c == "\"") { i++; return out }
        if (c != "\\") continue
        c = substr(s, i + 1, 1)
        i += 2
        if (c == "n" || c == "r" || c == "t" || c == "b" || c == "f") out = out " "
        else if (c == "u") {
          code = hex(substr(s, i, 4))
          i += 4
          # Others than ASCII are of no use to a word to look for.
          out = out (code >= 32 && code < 127 ? sprintf("%c", code) : "?")
        } else out = out c
      }
      return out
    }
    function hex(digits,  at, value) {
      for (at = 1; at <= 4; at++) value = value * 16 + index("0123456789abcdef", tolower(substr(digits, at, 1))) - 1
      return value
    }
    function value(path, depth,  c, name, count, start) {
      if (depth > 100) { i = n + 1; return }
      skip()
      c = substr(s, i, 1)
      if (c == "{" || c == "[") {
        i++
        skip()
        if (substr(s, i, 1) == (c == "{" ? "}" : "]")) i++
        else while (i <= n) {
          skip()
          name = c == "{" ? (path == "" ? text() : path "." text()) : path "[" count + 0 "]"
          if (c == "{") { skip(); i++ }
          value(name, depth + 1)
          count++
          skip()
          i++
          if (substr(s, i - 1, 1) != ",") break
        }
        if (c == "[" && path "#" == want) found = count + 0 ""
      } else if (c == "\"") {
        start = text()
        if (path == want) found = start
      } else {
        start = i
        while (i <= n && substr(s, i, 1) !~ /^[],} \t\r\n]$/) i++
        if (path == want) found = substr(s, start, i - start)
        # Whatever it is, it does not stand still.
        if (i == start) i++
      }
    }
    { s = s $0 "\n" }
    END { want = ENVIRON["want"]; n = length(s); i = 1; value("", 0); printf "%s", found }
  ' "$answer"
}

# A text inside quotes, for JSON and for the configuration of curl.
quoted() {
  printf '%s' "$1" | tr '\n\t' '  ' | sed 's/["\\]/\\&/g'
}

# ask PATH [curl options]: the answer in $answer, its status in $status, the milliseconds in $took.
# Headers come from the standard input of curl, where the list of processes does not show the key.
ask() {
  path=$1
  shift
  : >"$answer"
  told=$(
    {
      [ -z "$key" ] || [ "$path" = /health ] || printf 'header = "Authorization: Bearer %s"\n' "$(quoted "$key")"
    } | curl --silent --show-error --config - --max-time "$timeout" --output "$answer" \
      --write-out '%{http_code} %{time_total}' "$@" "$url$path" 2>"$folder/error"
  )
  code=$?
  status=${told%% *}
  took=$(printf '%s' "${told##* }" | awk '{ sub(",", "."); printf "%d", $1 * 1000 + 0.5 }')
  [ "$code" -eq 0 ] && [ "$status" = 200 ] && return 0
  case "$code" in
    0) why="HTTP $status from $path: $(head -c 300 "$answer" | tr -s '\r\n\t ' '    ')" ;;
    28) why="no answer within $timeout s" ;;
    *) why=$(tr -s '\r\n' '  ' <"$folder/error") ;;
  esac
  return 1
}

passed() { printf 'level %s: ok, %s (%s), %s ms\n' "$1" "$2" "$3" "$took"; }
failed() {
  printf 'level %s: FAILED, %s, %s ms\n' "$1" "$2" "$took"
  exit "$1"
}

ask /health || failed 1 "$why"
passed 1 "the service is up" "HTTP $status"
[ "$last" -gt 1 ] || exit 0

ask /api/models || failed 2 "$why"
models=$(json 'data#')
case "$models" in
  '') failed 2 'the answer has no array `data`' ;;
  0) failed 2 "no model is listed: no provider can be reached, or this account has no access to models" ;;
esac
[ -n "$model" ] || model=$(json 'data[0].id')
passed 2 "models are listed" "$models listed"
[ "$last" -gt 2 ] || exit 0

limit=''
[ "$tokens" -eq 0 ] || limit="\"max_tokens\":$tokens,"
printf '{"model":"%s","stream":false,"temperature":0,%s"messages":[{"role":"user","content":"Reply with this one word and nothing else: %s"}]}' \
  "$(quoted "$model")" "$limit" "$(quoted "$word")" >"$folder/question"
ask /api/chat/completions --header 'Content-Type: application/json' --header 'X-Parley-Probe: 1' --data-binary "@$folder/question" ||
  failed 3 "$why"
reply=$(json 'choices[0].message.content')
printf '%s\n' "$reply" | word=$word awk 'index(tolower($0), tolower(ENVIRON["word"])) { found = 1 } END { exit !found }' ||
  failed 3 "the reply of $model does not contain \"$word\": \"$(printf '%s' "$reply" | head -c 200)\""
passed 3 "a model answers" "$model"
