# Replaces the markup of a frame by that in a file, for example from cron or at:
# echo 'sh swap-frame.sh 2 site-footer sale.html' | at midnight
set -eu
[ $# -eq 3 ] || { echo 'Usage: sh swap-frame.sh SITE FRAME FILE' >&2; exit 2; }
html=$(sed 's/\\/\\\\/g; s/"/\\"/g; s/\t/\\t/g; s/\r/\\r/g; s/$/\\n/' "$3" | tr -d '\n')
printf '{"html":"%s"}' "$html" |
  curl -sS --fail-with-body --retry 5 -X PUT -H "Authorization: Bearer $WP_FRAMES_TOKEN" \
    -H 'Content-Type: application/json' -H "Idempotency-Key: $(cat /proc/sys/kernel/random/uuid)" \
    --data-binary @- "$WP_FRAMES_URL/site/$1/frames/$2"
