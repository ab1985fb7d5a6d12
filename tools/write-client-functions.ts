import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  ADDRESSINGS,
  CALLER_ADDRESSING,
  NETWORK_ADDRESSING,
  tagOf,
} from '../src/api/docs/openapi-operation.ts'
import type { Endpoint } from '../src/api/endpoint.ts'
import { endpointsOn } from '../src/api/endpoints.ts'

const HEAD = '| function | what it does | endpoint |\n|---|---|---|\n'
const TABLE = /^\| function \| what it does \| endpoint \|\n(?:\|.*\n)+/m

/** The page that lists the functions of the client. */
export const FUNCTIONS_PAGE = resolve(import.meta.dirname, '../packages/client/README.md')

/** A page with the table of the functions that the client has for endpoints, in the order of the reference. */
export const withFunctions = (page: string): string =>
  page.replace(
    TABLE,
    HEAD +
      clientFunctions()
        .map(({ name, summary, request }) => `| \`${name}\` | ${summary} | \`${request}\` |\n`)
        .join(''),
  )

/** A function of the client: the endpoint's name and what it does, its method and path, and its tag in the reference. */
type ClientFunction = Readonly<Record<'name' | 'summary' | 'request' | 'tag', string>>

/** The functions of all endpoints, by their tags. */
export function clientFunctions(): readonly ClientFunction[] {
  const [ofSite = NETWORK_ADDRESSING] = ADDRESSINGS
  const describe = (addressing: typeof ofSite) => (endpoint: Endpoint) => {
    const { name, method, summary, path } = endpoint
    const address = addressing.prefix + path.replace(/:(\w+)/g, '{$1}')
    const tag = tagOf(endpoint, addressing)
    return { name, summary, request: `${method.toUpperCase()} ${address}`, tag }
  }
  const all = [
    ...endpointsOn('caller').map(describe(CALLER_ADDRESSING)),
    ...endpointsOn('site')
      .filter(({ response }) => response)
      .map(describe(ofSite)),
    ...endpointsOn('network').map(describe(NETWORK_ADDRESSING)),
  ]
  const tags = [...new Set(all.map(({ tag }) => tag))]
  return tags.flatMap((tag) => all.filter((one) => one.tag === tag))
}

/** `npm run functions`. A test fails if the page is not up to date. */
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  writeFileSync(FUNCTIONS_PAGE, withFunctions(readFileSync(FUNCTIONS_PAGE, 'utf8')))
