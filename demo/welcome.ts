import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Listening } from '../src/cli/cli-context.ts'
import type { DemoDatabase } from './demo-database.ts'
import type { Demo } from './prepare-demo.ts'

const DOCS = resolve(import.meta.dirname, '../dist/docs/index.html')

/** The text that is printed after the start: addresses, and commands to paste. */
export function welcome(
  { apiUrl, frontUrl }: Listening,
  demo: Demo,
  database: Pick<DemoDatabase, 'url' | 'isPrivate' | 'how'> & { readonly log: string },
): string {
  const addresses = [
    `  API      ${apiUrl}`,
    `  docs     ${apiUrl}/docs/${existsSync(DOCS) ? '' : ', after "npm run build:docs"'}`,
    `  console  ${apiUrl}/console/`,
    `  front    ${frontUrl === undefined ? 'off (FRONT_PORT=0)' : new URL('/', demo.home)}`,
    `  data     ${database.how}`,
    `  log      ${database.log}`,
  ]
  return [
    '',
    'wp-frames is running.',
    '',
    ...addresses,
    '',
    ...linesToPaste(`${apiUrl}`, demo),
    ...(database.isPrivate ? linesForCommands(database.url) : []),
    '',
    '"npm run demo:welcome" in another terminal prints this again.',
    'Ctrl-C stops it.',
    '',
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
    `  token    ${token}`,
    '',
    `The console with this token: ${apiUrl}/console/#token=${token}`,
    '',
    'Paste these to see it work:',
    '',
    `  ${curl} '${apiUrl}/site/1/frames'`,
    '',
    `  ${curl} '${apiUrl}/site/1/menus'`,
    '',
    `  ${curl} -X POST -H 'Content-Type: application/json' -d '${body}' '${apiUrl}/site/1/frames'`,
  ]
}

/** The address is quoted for a shell: the generated password contains no quotes. */
function linesForCommands(url: string): string[] {
  return [
    '',
    'For the commands, in another terminal in this folder:',
    '',
    '  npm run build:program',
    `  export DATABASE_URL='${url}'`,
    '  npx wp-frames frames list --site 1',
  ]
}
