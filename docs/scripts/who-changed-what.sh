# Lists the last 500 things that were written to all sites since a time.
# sh who-changed-what.sh 2026-11-22
set -eu
[ $# -eq 1 ] || { echo 'Usage: sh who-changed-what.sh DATE' >&2; exit 2; }
curl -sS --fail-with-body -G -H "Authorization: Bearer $WP_FRAMES_TOKEN" \
  -d "since=$1" -d limit=500 "$WP_FRAMES_URL/network/history"
