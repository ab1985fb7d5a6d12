import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { openApiDocument } from '../../../src/api/docs/openapi-document.ts'
import type { Method } from '../../../src/api/endpoint.ts'
import { endpointsOn } from '../../../src/api/endpoints.ts'

const document = await openApiDocument('1.2.3', '/wp-json/svc/v1')
const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

/** With which verbs names of operations begin: scripts guess a name from that of another one. A new verb needs a new kind of action. */
const VERBS = {
  get: /^(get|list)[A-Z]/,
  put: /^(assign|replace)[A-Z]/,
  patch: /^(rename|update)[A-Z]/,
  delete: /^(delete|revoke)[A-Z]/,
  post: /^(create|issue|assign|reorder|restore|preview|rebake|fix|check|run|report|apply|rollBack|rotate|test|replay)[A-Z]/,
}

/** Every value below one of these keys, at any depth. */
function allUnder(key: string, value: unknown = document): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(name === key ? [inner] : []),
    ...allUnder(key, inner),
  ])
}

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    expect(await validator.validate({ ...structuredClone(document) })).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
  })

  it('has no reference to a missing component', () => {
    const names = Object.keys(document.components?.schemas ?? {})
    const headers = Object.keys(document.components?.headers ?? {})
    const known = new Set([
      ...names.map((name) => `#/components/schemas/${name}`),
      ...headers.map((name) => `#/components/headers/${name}`),
    ])
    const references = new Set(allUnder('$ref'))
    expect([...references].filter((reference) => !known.has(String(reference)))).toEqual([])
    expect(references.size).toBeGreaterThan(50)
  })

  it('has every endpoint in both addressings', () => {
    const expected = endpointsOn('site').flatMap(({ method, path }) => {
      const template = path.replace(/:(\w+)/g, '{$1}')
      return [`${method} /site/{site_id}${template}`, `${method} ${template}`]
    })
    const probes = ['get /healthz', 'get /readyz']
    const ofNetwork = endpointsOn('network').map(
      ({ method, path }) => `${method} /network${path.replace(/:(\w+)/g, '{$1}')}`,
    )
    const ofCaller = endpointsOn('caller').map(({ method, path }) => `${method} ${path}`)
    expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
      [...expected, ...ofNetwork, ...ofCaller, ...probes].sort(),
    )
  })

  it('has unique operation ids', () => {
    const names = operations.map(({ operation }) => operation.operationId)
    expect(new Set(names).size).toBe(operations.length)
  })

  it('names what an operation does by the same verbs everywhere', () => {
    const current = operations.filter(({ operation }) => !operation.deprecated)
    const others = current
      .filter(({ method, operation }) => !VERBS[method as Method].test(operation.operationId))
      .map(({ operation }) => operation.operationId)
    expect(current.length).toBeGreaterThan(70)
    expect(others).toEqual([])
  })

  it('describes every parameter and field of a request', () => {
    const untold = operations.flatMap(({ path, method, operation }) => {
      const fields = operation.requestBody?.content['application/json'].schema.properties ?? {}
      const parts = [...Object.entries(fields), ...(operation.parameters ?? []).map(nameAndItself)]
      return parts
        .filter(([, part]) => !part.description && !part.$ref)
        .map(([name]) => `${method} ${path} ${name}`)
    })
    expect(untold).toEqual([])
  })

  it('lists the required fields of a request', () => {
    const required = operations.flatMap(({ operation }) => {
      const schema = operation.requestBody?.content['application/json'].schema
      return schema?.required ? [[operation.operationId, ...schema.required]] : []
    })
    expect(required.filter(([name]) => !name.endsWith('OfChosenSite')).sort()).toEqual([
      ['assignFrame', 'page'],
      ['assignMenuLocation', 'location'],
      ['checkFrames', 'frames'],
      ['createFrame', 'slug'],
      ['createMenu', 'name'],
      ['createNetworkWebhook', 'url'],
      ['createPlan', 'version', 'name', 'sites'],
      ['createWebhook', 'url'],
      ['fixFindings', 'fixes'],
      ['issueToken', 'user'],
      ['previewPage', 'page'],
      ['renameFrame', 'slug'],
      ['reorderMenuItems', 'order'],
      ['replaceMenuItems', 'items'],
      ['replayDelivery', 'delivery'],
      ['replayNetworkDelivery', 'delivery'],
      ['runBatch', 'requests'],
    ])
  })

  it('states the maximum body size of each operation', () => {
    const limits = operations.flatMap(({ operation }) =>
      operation.requestBody ? [[operation.operationId, operation.requestBody.description]] : [],
    )
    const large = limits.filter(([, limit]) => limit === 'At most 16 MB.').map(([name]) => name)
    expect(large.filter((name) => !name.endsWith('OfChosenSite')).sort()).toEqual([
      'checkFrames',
      'createFrame',
      'createMenu',
      'createPlan',
      'previewPage',
      'replaceFrame',
      'replaceMenuItems',
      'runBatch',
    ])
    expect(new Set(limits.map(([, limit]) => limit))).toEqual(
      new Set(['At most 16 MB.', 'At most 1 MB.']),
    )
  })

  it('declares the parameters of each path', () => {
    for (const { path, operation } of operations) {
      const inPath = (operation.parameters ?? []).filter(
        (parameter: { in: string }) => parameter.in === 'path',
      )
      expect(inPath.map(({ name }: { name: string }) => name)).toEqual(
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
      )
    }
  })

  it('marks removed endpoints as deprecated, without a success response', () => {
    const removed = operations.filter(({ operation }) => operation.deprecated)
    expect(removed).toHaveLength(12)
    for (const { operation } of removed) {
      expect(Object.keys(operation.responses)).toContain('410')
      expect(Object.keys(operation.responses)).not.toContain('200')
    }
  })

  it('accepts a token in either header', () => {
    expect(document.security).toEqual([{ bearer: [] }, { svcKey: [] }])
    expect(document.components?.securitySchemes?.svcKey).toMatchObject({ name: 'X-Svc-Key' })
  })

  it('is the same whatever is described at once', async () => {
    expect(await openApiDocument('1.2.3', '/wp-json/svc/v1', Infinity)).toEqual(document)
  })

  it('has the base path as its server', async () => {
    expect(document.servers).toEqual([{ url: '/wp-json/svc/v1' }])
    expect((await openApiDocument('1.2.3', '')).servers).toEqual([{ url: '/' }])
  })
})

const nameAndItself = (parameter: {
  readonly name: string
  readonly description?: string
  readonly $ref?: string
}) => [parameter.name, parameter] as const
