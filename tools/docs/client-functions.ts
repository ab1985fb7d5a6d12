import {
  ADDRESSINGS,
  CALLER_ADDRESSING,
  NETWORK_ADDRESSING,
  tagOf,
} from '../../src/api/docs/openapi-operation.ts'
import type { Endpoint } from '../../src/api/endpoint.ts'
import { endpointsOn } from '../../src/api/endpoints.ts'

/** A function of the client: the endpoint's name and what it does, its method and path, and its tag in the reference. */
type ClientFunction = Readonly<Record<'name' | 'summary' | 'request' | 'tag', string>>

/** The functions of all endpoints, in the order of the reference. */
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
