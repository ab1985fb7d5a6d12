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

/** The pages that list the functions of the client. */
export const FUNCTION_PAGES = ['docs/client.md', 'packages/client/README.md'].map((name) =>
  resolve(import.meta.dirname, '..', name),
)

/** A page with the table of the functions that the client has for endpoints, in the order of the reference. */
export const withFunctions = (page: string): string => page.replace(TABLE, HEAD + rows().join(''))

function rows(): string[] {
  const [ofSite = NETWORK_ADDRESSING] = ADDRESSINGS
  const describe = (addressing: typeof ofSite) => (endpoint: Endpoint) => {
    const { name, method, summary, path } = endpoint
    const address = addressing.prefix + path.replace(/:(\w+)/g, '{$1}')
    const row = `| \`${name}\` | ${summary} | \`${method.toUpperCase()} ${address}\` |\n`
    return { tag: tagOf(endpoint, addressing), row }
  }
  const all = [
    ...endpointsOn('caller').map(describe(CALLER_ADDRESSING)),
    ...endpointsOn('site')
      .filter(({ response }) => response)
      .map(describe(ofSite)),
    ...endpointsOn('network').map(describe(NETWORK_ADDRESSING)),
  ]
  const tags = [...new Set(all.map(({ tag }) => tag))]
  return tags.flatMap((tag) => all.filter((one) => one.tag === tag).map(({ row }) => row))
}

/** `npm run functions`. A test fails if a page is not up to date. */
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  for (const page of FUNCTION_PAGES) writeFileSync(page, withFunctions(readFileSync(page, 'utf8')))
