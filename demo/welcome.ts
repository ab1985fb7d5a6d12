import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Listening } from '../src/cli/cli-context.ts'
import { greeting } from '../src/cli/greeting.ts'
import type { DemoDatabase } from './demo-database.ts'
import type { Demo } from './prepare-demo.ts'

const DOCS = resolve(import.meta.dirname, '../dist/docs/index.html')

/** The end of what a start prints. */
export function welcome({ apiUrl, frontUrl }: Listening, demo: Demo): string {
  return [
    greeting({
      console: consoleUrl(apiUrl, demo),
      front: frontUrl === undefined ? 'off (FRONT_PORT=0)' : demo.home,
      next: `${existsSync(DOCS) ? `${apiUrl}/docs/start` : 'docs/start.md'}: change three sites with one command, and undo it`,
    }),
    '"npm run demo:welcome" in another terminal prints addresses, the token and commands to paste. Ctrl-C stops it.',
    '',
  ].join('\n')
}

const consoleUrl = (apiUrl: string | undefined, { token }: Demo): string =>
  `${apiUrl}/console/#token=${token}`

/** The text of `npm run demo:welcome`: addresses, and commands to paste. */
export function details(
  { apiUrl, frontUrl }: Listening,
  demo: Demo,
  database: Pick<DemoDatabase, 'url' | 'how'> & { readonly log: string },
): string {
  return [
    `  API       ${apiUrl}`,
    `  docs      ${apiUrl}/docs/${existsSync(DOCS) ? '' : ', after "npm run build:docs"'}`,
    `  console   ${consoleUrl(apiUrl, demo)}`,
    `  front     ${frontUrl === undefined ? 'off (FRONT_PORT=0)' : demo.home}`,
    `  database  ${database.url}`,
    `            ${database.how}`,
    `  log       ${database.log}`,
    `  token     ${demo.token}`,
    '',
    'Commands work on the demo in this folder, while it runs:',
    '',
    '  npx wp-frames frames list --site 1',
    '',
    'So does the API:',
    '',
    ...linesToPaste(`${apiUrl}`, demo),
  ].join('\n')
}

function linesToPaste(apiUrl: string, { token }: Demo): string[] {
  const curl = `curl -s -w '\\n' -H 'Authorization: Bearer ${token}'`
  const body = JSON.stringify({
    slug: 'hello',
    html: '<h1><!-- svc/data {"source":"site.title"} /--></h1>',
    dry_run: true,
  })
  return [
    `  ${curl} '${apiUrl}/site/1/frames'`,
    '',
    `  ${curl} '${apiUrl}/site/1/menus'`,
    '',
    `  ${curl} -X POST -H 'Content-Type: application/json' -d '${body}' '${apiUrl}/site/1/frames'`,
    '',
  ]
}
