# Renames a frame on all sites that have it (on the first 200 sites). Frames that embed it are rewritten.
# sh rename-frame.sh site-header site-top
set -eu
[ $# -eq 2 ] || { echo 'Usage: sh rename-frame.sh OLD-SLUG NEW-SLUG' >&2; exit 2; }
call() {
  curl -sS --fail-with-body -H "Authorization: Bearer $WP_FRAMES_TOKEN" \
    -H 'Content-Type: application/json' "$@" 2>&1
}
list=$(call "$WP_FRAMES_URL/sites?limit=200") || { echo "$list" >&2; exit 1; }
failed=0
for site in $(echo "$list" | grep -o '"site_id":[0-9]*' | cut -d: -f2); do
  if answer=$(call -X PATCH -d "{\"slug\":\"$2\"}" "$WP_FRAMES_URL/site/$site/frames/$1"); then
    echo "Site $site: $answer"
  else
    case $answer in *'"frame_not_found"'*) continue ;; esac
    echo "Site $site failed: $answer" >&2
    failed=1
  fi
done
exit $failed
