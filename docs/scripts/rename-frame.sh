# Renames a frame on all sites that have it (on the first 200 sites). Frames that embed it are rewritten.
# sh rename-frame.sh site-header site-top
set -eu
call() {
  curl -sS -H "Authorization: Bearer $WP_FRAMES_TOKEN" -H 'Content-Type: application/json' "$@"
}
sites=$(call "$WP_FRAMES_URL/sites?limit=200" | grep -o '"site_id":[0-9]*' | cut -d: -f2)
for site in $sites; do
  call -X PATCH -d "{\"slug\":\"$2\"}" "$WP_FRAMES_URL/site/$site/frames/$1"
  echo
done
