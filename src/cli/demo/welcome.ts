import type { Listening } from '../context.ts'
import type { Demo } from './prepare-demo.ts'

/** What a newcomer reads after the start: where things are, and what to paste. */
export function welcome(
  { apiUrl, frontUrl }: Listening,
  demo: Demo | undefined,
  database: string,
): string {
  const addresses = [
    `  API    ${apiUrl}`,
    `  front  ${frontUrl === undefined ? 'off (FRONT_PORT=0)' : (demo?.home ?? frontUrl)}`,
    `  data   ${database}`,
  ]
  return [
    '',
    'wp-frames is running.',
    '',
    ...addresses,
    '',
    ...(demo ? linesToPaste(`${apiUrl}`, demo) : OWN_NETWORK),
    '',
    'Ctrl-C stops it.',
    '',
  ].join('\n')
}

function linesToPaste(apiUrl: string, { token }: Demo): string[] {
  const curl = `curl -s -H 'Authorization: Bearer ${token}'`
  const body = JSON.stringify({
    slug: 'hello',
    html: '<h1><!-- svc/data {"source":"site.title"} /--></h1>',
    dry_run: true,
  })
  return [
    `  token  ${token}`,
    '',
    'Paste these to see it work:',
    '',
    `  ${curl} '${apiUrl}/site/2/frames'`,
    '',
    `  ${curl} '${apiUrl}/site/2/menus'`,
    '',
    `  ${curl} -X POST -H 'Content-Type: application/json' -d '${body}' '${apiUrl}/site/2/frames'`,
  ]
}

const OWN_NETWORK = [
  'This database holds a network of your own, so no demo frames were made and no token was issued.',
  'Make a token with: npx wp-frames token issue --user <login>',
]
