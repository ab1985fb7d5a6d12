# Replaces the markup of a frame by that in a file, for example from cron or at:
# echo 'sh swap-frame.sh 2 site-footer sale.html' | at midnight
set -eu
page=$(mktemp)
trap 'rm -f "$page"' EXIT
# The markup as a JSON text: a backslash before each backslash and quote, \n for each end of a line.
awk 'BEGIN { printf "{\"html\":\"" } { gsub(/\\/, "\\\\"); gsub(/"/, "\\\""); gsub(/\t/, "\\t"); printf "%s\\n", $0 }
  END { print "\"}" }' "$3" >"$page"
curl -sS --fail-with-body --retry 5 -X PUT -H "Authorization: Bearer $WP_FRAMES_TOKEN" \
  -H 'Content-Type: application/json' -H "Idempotency-Key: $(cat /proc/sys/kernel/random/uuid)" \
  --data-binary "@$page" "$WP_FRAMES_URL/site/$1/frames/$2"
