import type { CompleteResult, ReadResourceResult, Resource } from '@modelcontextprotocol/server'
import { readGuide } from '../api/docs/docs-files.ts'
import { AppError } from '../errors.ts'
import { openCall } from './call-endpoint.ts'
import { MAX_RESULT_CHARACTERS } from './cut-result.ts'
import type { McpRequest, McpServices } from './mcp-request.ts'
import type { Tools } from './tools.ts'

/** The guide that explains the markup of frames. */
const GUIDE_URI = 'wp-frames://docs/markup'

/** Resources that do not depend on the caller. */
export const RESOURCES: Resource[] = [
  {
    uri: GUIDE_URI,
    name: 'markup',
    title: 'The markup language of frames',
    description: 'Inserts, binds and data sources, with examples.',
    mimeType: 'text/markdown',
  },
]

/** A kind of things of a site that clients can read as resources. */
type ThingResource = {
  readonly name: 'frames' | 'menus'
  readonly title: string
  readonly mimeType: string
  /** Endpoints that read one, and list all. */
  readonly read: string
  readonly list: string
  /** The text of the resource in the response of `read`. */
  textOf(response: Record<string, unknown>): string
}

const THINGS: readonly ThingResource[] = [
  {
    name: 'frames',
    title: 'Markup of a frame',
    mimeType: 'text/html',
    read: 'getFrame',
    list: 'listFrames',
    textOf: ({ frame }) => String(Reflect.get(Object(frame), 'html')),
  },
  {
    name: 'menus',
    title: 'Items of a menu',
    mimeType: 'application/json',
    read: 'getMenu',
    list: 'listMenus',
    textOf: (response) => JSON.stringify(response, null, 2),
  },
]

const uriTemplateOf = ({ name }: ThingResource): string =>
  `wp-frames://site/{site_id}/${name}/{ref}`

export const RESOURCE_TEMPLATES = THINGS.map((thing) => ({
  uriTemplate: uriTemplateOf(thing),
  name: thing.name,
  title: thing.title,
  description: '`ref` is an id or a slug.',
  mimeType: thing.mimeType,
}))

/**
 * Reads a resource.
 * @throws AppError `rest_no_route` if there is none, `rest_body_too_large` if a tool must read it, and errors of the endpoint
 */
export async function readResource(
  services: McpServices,
  tools: Tools,
  request: McpRequest,
  uri: string,
): Promise<ReadResourceResult> {
  if (uri === GUIDE_URI) {
    const text = await readGuide('markup')
    return { contents: [{ uri, mimeType: 'text/markdown', text }] }
  }
  const [, siteId = '', kind, ref = ''] =
    /^wp-frames:\/\/site\/([^/]+)\/(frames|menus)\/([^/]+)$/.exec(uri) ?? []
  const thing = THINGS.find(({ name }) => name === kind)
  const tool = thing && tools.findByEndpoint(thing.read)
  if (!tool) throw noResource(uri)
  const params = { ref: decodeRef(uri, ref) }
  const call = await openCall(services, request, tool, { siteId, params, query: {} })
  const text = thing.textOf(await call.run())
  if (text.length > MAX_RESULT_CHARACTERS) throw tooLarge(tool.name)
  return { contents: [{ uri, mimeType: thing.mimeType, text }] }
}

/** Values that a client may send at once. */
const MAX_COMPLETIONS = 100

/** Completes the reference of a template whose site is known. */
export async function completeRef(
  services: McpServices,
  tools: Tools,
  request: McpRequest,
  {
    uri,
    name,
    value,
    siteId,
  }: { uri: string; name: string; value: string; siteId?: string | undefined },
): Promise<CompleteResult> {
  const thing = THINGS.find((thing) => uriTemplateOf(thing) === uri)
  const tool = thing && tools.findByEndpoint(thing.list)
  if (!tool || name !== 'ref' || siteId === undefined) return { completion: { values: [] } }
  const call = await openCall(services, request, tool, { siteId, params: {}, query: {} })
  const listed: unknown = (await call.run())[thing.name]
  const slugs = Array.isArray(listed) ? listed.map(({ slug }) => String(slug)) : []
  const values = slugs.filter((slug) => slug.startsWith(value))
  return {
    completion: {
      values: values.slice(0, MAX_COMPLETIONS),
      total: values.length,
      hasMore: values.length > MAX_COMPLETIONS,
    },
  }
}

function decodeRef(uri: string, ref: string): string {
  try {
    return decodeURIComponent(ref)
  } catch {
    throw noResource(uri)
  }
}

const noResource = (uri: string): AppError =>
  new AppError(
    'rest_no_route',
    `There is no resource ${uri}. List the resources and the resource templates.`,
  )

const tooLarge = (tool: string): AppError =>
  new AppError(
    'rest_body_too_large',
    `This resource has more than ${MAX_RESULT_CHARACTERS} characters. Read it with the tools ${tool} and read_more.`,
  )
