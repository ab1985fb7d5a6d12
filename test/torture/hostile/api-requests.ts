import fc from 'fast-check'
import { openApiDocument } from '../../../src/api/docs/openapi-document.ts'
import type { Endpoint } from '../../../src/api/endpoint.ts'
import { endpointsOn } from '../../../src/api/endpoints.ts'
import { TEXTS, VALUES } from './corpus.ts'
import type { Sent } from './exchange.ts'

/** Names of existing things, so that requests pass the first check. */
export type Supply = {
  readonly frames: readonly string[]
  readonly menus: readonly string[]
  readonly items: readonly number[]
}

const document = await openApiDocument('0.0.0', '')

const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...TEXTS), fc.constantFrom(...TEXTS))
      .map((parts) => parts.join('')),
  },
)

/** JSON as text: an object cannot contain a key twice, and `__proto__` only with difficulty. */
const json = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'json' },
    fc.constantFrom(...VALUES),
    text.map((value) => JSON.stringify(value)),
    fc
      .array(tie('value'), { maxLength: 4, depthIdentifier: 'json' })
      .map((values) => `[${values}]`),
    tie('object'),
  ),
  object: fc
    .array(fc.tuple(text, tie('value')), { maxLength: 4, depthIdentifier: 'json' })
    .map((members) => objectOf(members)),
}))

const objectOf = (members: readonly (readonly [string, string])[]): string =>
  `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`

/** Values that are valid for some field. */
const sensible = ({ frames, menus, items }: Supply) =>
  fc.constantFrom(
    ...frames,
    ...menus,
    '~header',
    'about-us/team',
    'header',
    'footer_1',
    'fr',
    'en',
    'opal',
    '_blank',
    'menu.header',
    'pages',
    'dataset.prices',
    'site',
    'settings.title',
    'New',
    ...items,
    3,
    7,
    0,
    true,
    false,
  )

const tree = ({ items }: Supply) =>
  fc.letrec<{ items: string; item: string }>((tie) => ({
    items: fc
      .array(tie('item'), { maxLength: 4, depthIdentifier: 'tree' })
      .map((all) => `[${all}]`),
    item: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'tree' },
      fc.constantFrom('7', '"about-us/team"', ...items.map(String)),
      json.value,
      fc
        .tuple(
          fc.constantFrom('"page":7', '"url":"/x/"', '"page":"team"', '"page":7,"url":""'),
          text.map((title) => `"title":${JSON.stringify(title)}`),
          text.map((classes) => `"classes":${JSON.stringify(classes)}`),
          tie('items').map((children) => `"children":${children}`),
        )
        .map((members) => `{${members}}`),
    ),
  })).items

const markup = ({ frames }: Supply) =>
  fc
    .array(
      fc.oneof(
        text,
        fc.constantFrom(...frames.map((name) => `<!-- svc/frame {"name":"${name}"} /-->`)),
      ),
      { maxLength: 6 },
    )
    .map((parts) => parts.join(''))

/** A value of a field as JSON: a valid one, or any other. */
function fieldValue(name: string, supply: Supply): fc.Arbitrary<string> {
  const meant =
    name === 'items' || name === 'children'
      ? tree(supply)
      : ['html', 'markup', 'content'].includes(name)
        ? markup(supply).map((value) => JSON.stringify(value))
        : sensible(supply).map((value) => JSON.stringify(value))
  return fc.oneof(
    { weight: 3, arbitrary: meant },
    { weight: 2, arbitrary: text.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: json.value },
  )
}

/** A text for a request line: percent-encoded if that is possible, otherwise unchanged in allowed characters. No longer than Node.js accepts. */
const encoded = (text: string): string => {
  const value = text.slice(0, 600)
  return value.isWellFormed()
    ? encodeURIComponent(value)
    : value.replace(/[^\x21-\x7e]/g, '%ED%A0%80')
}

const inPath = (supply: Supply) =>
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc
        .constantFrom(...supply.frames, ...supply.menus, ...supply.items.map(String), '~header')
        .map(encoded),
    },
    { weight: 2, arbitrary: text.map(encoded) },
    {
      weight: 1,
      arbitrary: text.map((value) => value.slice(0, 600).replace(/[^\x21-\x7e]|[#?]/g, '%FF')),
    },
  )

const inQuery = (names: readonly string[], supply: Supply) =>
  fc
    .array(
      fc.tuple(
        fc.constantFrom(
          ...names,
          ...names,
          'blog_id',
          'domain',
          'a[b]',
          '__proto__',
          'constructor[prototype][x]',
        ),
        fc.oneof(text, sensible(supply).map(String)),
      ),
      { maxLength: 3 },
    )
    .map((pairs) => pairs.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&'))

const headers = fc.record(
  {
    'If-Match': fc.constantFrom(
      '*',
      '"x"',
      'W/"x"',
      '"',
      '"a"'.repeat(200),
      "' OR 1=1",
      '"\u00ff"',
    ),
    'If-None-Match': fc.constantFrom('*', '"x"', 'W/"', ''),
    'X-Svc-Blog-Id': fc.constantFrom(
      '2',
      '0',
      '-1',
      '4',
      "2' OR 1=1",
      '1e1',
      '',
      '99999999999999999999',
    ),
    'X-Forwarded-For': fc.constantFrom('127.0.0.1', "'", '::1, x'),
    'Content-Encoding': fc.constantFrom('gzip', 'br', 'deflate', 'identity', 'x', 'gzip, gzip'),
    'Accept-Encoding': fc.constantFrom('*', 'gzip;q=x', ''),
  },
  { requiredKeys: [] },
)

const types = fc.oneof(
  { weight: 12, arbitrary: fc.constant('application/json') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'text/plain',
      'application/json; charset=utf-16',
      'x',
      'application/x-www-form-urlencoded',
      'application/json;'.repeat(50),
    ),
  },
)

/** A body: all known fields, some unknown ones, or any other JSON. */
function bodyOf(
  names: readonly string[],
  supply: Supply,
): fc.Arbitrary<string | Buffer | undefined> {
  const member = (name: string) =>
    fieldValue(name, supply).map((value): readonly [string, string] => [name, value])
  const known = fc
    .subarray([...names], { maxLength: Math.min(4, names.length) })
    .chain((chosen) => fc.tuple(...chosen.map(member)))
  const more = fc.array(fc.tuple(text, json.value), { maxLength: 1 })
  const object = fc.tuple(known, more).map((members) => objectOf(members.flat()))
  return fc.oneof(
    { weight: 10, arbitrary: object },
    { weight: 2, arbitrary: json.value },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        undefined,
        '',
        '{',
        '[1,',
        '\ufeff{}',
        '{"a":\u0000}',
        "{'a':1}",
        'NaN',
      ),
    },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes)) },
  )
}

/** Requests to an endpoint, from almost valid to absurd. */
function requestsTo(endpoint: Endpoint, supply: Supply, token: string): fc.Arbitrary<Sent> {
  const { method, path, params, query } = endpoint
  const site = fc.oneof(
    { weight: 8, arbitrary: fc.constant('/site/2') },
    { weight: 1, arbitrary: fc.constant('') },
    { weight: 1, arbitrary: text.map((value) => `/site/${encoded(value)}`) },
  )
  return fc
    .record({
      site,
      names: fc.array(inPath(supply), {
        minLength: Object.keys(params.shape).length,
        maxLength: Object.keys(params.shape).length,
      }),
      query: inQuery(['lang', 'theme', ...Object.keys(query.shape)], supply),
      headers: fc.oneof(
        { weight: 4, arbitrary: fc.constant({}) },
        { weight: 1, arbitrary: headers },
      ),
      type: types,
      body: bodyOf(fieldsOf(endpoint), supply),
    })
    .map(({ site, names, query, headers, type, body }) => {
      const left = [...names]
      const filled = path.replace(/:\w+/g, () => left.shift() ?? '')
      return {
        method: method.toUpperCase(),
        path: `${site}${filled}${query === '' ? '' : `?${query}`}`,
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': type, ...headers },
        ...(body === undefined ? {} : { body }),
      }
    })
}

function fieldsOf({ method, path }: Endpoint): string[] {
  const template = `/site/{site_id}${path.replace(/:(\w+)/g, '{$1}')}`
  const body = document.paths?.[template]?.[method]?.requestBody
  const content = body && 'content' in body ? body.content['application/json'] : undefined
  const { properties = {} } = { ...content?.schema } as { properties?: object }
  return Object.keys(properties)
}

/** Requests to all endpoints of sites, equally often to each. */
export const apiRequests = (supply: Supply, token: string): fc.Arbitrary<Sent> =>
  fc.oneof(...endpointsOn('site').map((endpoint) => requestsTo(endpoint, supply, token)))
