#!/bin/sh
# What `npm start` does before it runs the demo: packages, and the program with its console if a source is newer. The demo itself prints the other steps.
cd "$(dirname "$0")/.." || exit 1
echo '1/4 Packages (40 seconds at the first start)' >&2
sh .ci/install || exit 1
echo '2/4 Program and console (15 seconds at the first start, and after a change)' >&2
sources='src sql packages/*/src docs/assets docs/markup.md package.json tsconfig.build.json tools/build-console.ts'
# shellcheck disable=SC2086
if [ ! -e dist/console/index.html ] || [ -n "$(find $sources -newer dist/console/index.html -print | head -n 1)" ]; then
  npm run --silent build:program >/dev/null || exit 1
fi
