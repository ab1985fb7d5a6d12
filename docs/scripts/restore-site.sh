# Brings the frames and menus of a site back to a time, from the history of the service.
# sh restore-site.sh 2 2026-11-23T09:00:00Z
set -eu
[ $# -eq 2 ] || { echo 'Usage: sh restore-site.sh SITE TIME' >&2; exit 2; }
curl -sS --fail-with-body -H "Authorization: Bearer $WP_FRAMES_TOKEN" -H 'Content-Type: application/json' \
  -d "{\"at\":\"$2\"}" "$WP_FRAMES_URL/site/$1/restore"
