import { once } from 'node:events'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join, resolve } from 'node:path'
import { json } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { issueTokenFor } from './support/api.ts'
import { eventually } from './support/eventually.ts'
import { listen } from './support/listen.ts'
import { useNetwork } from './support/network.ts'
import { startRelay } from './support/relay.ts'
import { startServeProcesses } from './support/serve-processes.ts'
import { use, useFolder } from './support/use.ts'

const ROOT = resolve(import.meta.dirname, '..')

/** The file that the documentation shows, in a folder with the packages that it names. */
const folder = await useFolder('tracing')
const [, setup = ''] =
  /```js\n(.*?)```/s.exec(readFileSync(join(ROOT, 'docs/operating.md'), 'utf8')) ?? []
const file = join(folder, 'tracing.mjs')
writeFileSync(file, setup)
symlinkSync(join(ROOT, 'test/packages/node_modules'), join(folder, 'node_modules'))

const Value = z.object({
  stringValue: z.string().optional(),
  intValue: z.coerce.number().optional(),
})
const Span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes: z.array(z.object({ key: z.string(), value: Value })),
  links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).optional(),
})
const Export = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(Span) })) })),
})

/** What a collector has received. */
const spans: z.infer<typeof Span>[] = []
const collector = await use(
  listen(async (request, response) => {
    const { resourceSpans } = Export.parse(await json(request))
    for (const { scopeSpans } of resourceSpans)
      for (const scope of scopeSpans) spans.push(...scope.spans)
    response.setHeader('Content-Type', 'application/json')
    response.end('{}')
  }),
)

const network = await useNetwork()
const copies = await useFolder('traced-copies')
const env = {
  TABLE_PREFIX: network.globals.basePrefix,
  EXECUTOR_KEY: 'a-secret-of-at-least-thirty-two-bytes',
  STATIC_DIR: copies,
  NODE_OPTIONS: `--import ${file}`,
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}`,
  OTEL_BSP_SCHEDULE_DELAY: '100',
}
const executor = await use(startServeProcesses(1, network.url, env, 'executor'))
/** What the API sends to the executor. */
let sentToExecutor = ''
const relay = await use(
  startRelay(executor.urls[0] ?? '', {
    observe: () => (bytes) => {
      sentToExecutor += bytes
    },
  }),
)
/** Addresses of this machine: that of a trusted proxy, and another. */
const [PROXY, STRANGER] = ['127.0.0.2', '127.0.0.3']
const api = await use(
  startServeProcesses(1, network.url, {
    ...env,
    TRUST_PROXY: PROXY,
    EXECUTOR_URL: relay.url,
    EFFECTS_BUDGET_MS: '20000',
  }),
)
const token = await issueTokenFor(network, 'alice')

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CLIENT_SPAN = 'b7ad6b7169203331'

async function send(
  method: string,
  path: string,
  body: object,
  localAddress = PROXY,
): Promise<number | undefined> {
  const sent = request(`${api.urls[0]}/site/2${path}`, {
    method,
    localAddress,
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      traceparent: `00-${TRACE}-${CLIENT_SPAN}-01`,
      tracestate: 'vendor=client',
      baggage: 'note=client',
    },
  }).end(JSON.stringify(body))
  const [response] = await once(sent, 'response')
  response.resume()
  return response.statusCode
}

const ofTrace = () => spans.filter(({ traceId }) => traceId === TRACE)
const named = (name: string) => ofTrace().filter((span) => span.name === name)
const parentOf = ({ parentSpanId }: z.infer<typeof Span>) =>
  ofTrace().find(({ spanId }) => spanId === parentSpanId)?.name

it('a trace runs from the request of a client to its write, and to the executor of another process; a build is a trace of its own', async () => {
  expect(await send('POST', '/frames', { slug: 'traced', html: '<p>1</p>' })).toBe(200)
  expect(await send('POST', '/frames/traced/assign', { page: 7 })).toBe(200)
  expect(await send('PUT', '/frames/traced', { html: '<p>2</p>' })).toBe(200)
  await eventually(() => {
    const put = named('PUT /frames/:ref')
    expect(put.map(({ parentSpanId }) => parentSpanId)).toEqual([CLIENT_SPAN])
    expect(put[0]?.attributes).toContainEqual({
      key: 'http.response.status_code',
      value: { intValue: 200 },
    })
    expect(named('write').map(parentOf)).toContain('PUT /frames/:ref')
    expect(named('POST /wake').map(parentOf)).toContain('PUT /frames/:ref')
    const slices = spans.filter(({ name }) => name === 'slice')
    const within = (name: string) =>
      slices.some(({ spanId, parentSpanId }) => {
        const isIn = (span: z.infer<typeof Span>) =>
          span.name === name && span.parentSpanId === spanId
        return !parentSpanId && spans.some(isIn)
      })
    expect([within('bake'), within('publish')]).toEqual([true, true])
    expect(named('slice')).toEqual([])
  })
})

it('what a client sends besides `traceparent` does not reach the executor', () => {
  expect(sentToExecutor).toMatch(new RegExp(`^traceparent: 00-${TRACE}-[0-9a-f]{16}-01\r$`, 'm'))
  expect(sentToExecutor).not.toMatch(/tracestate|baggage|=client/i)
})

it('log lines have the ids of their trace', () => {
  const lines = api
    .logs()
    .split('\n')
    .filter((line) => line.includes('"request completed"'))
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ trace_id: TRACE })
})

it('the request of a client that is no trusted proxy begins a trace, with a link to the span of the client', async () => {
  expect(await send('PUT', '/frames/traced', { html: '<p>3</p>' }, STRANGER)).toBe(200)
  const others = await eventually(() => {
    const found = spans.filter(
      ({ traceId, name }) => traceId !== TRACE && name === 'PUT /frames/:ref',
    )
    expect(found).toHaveLength(1)
    return found
  })
  expect(others[0]?.parentSpanId ?? '').toBe('')
  expect(others[0]?.links).toEqual([{ traceId: TRACE, spanId: CLIENT_SPAN }])
})

it('spans have no content and no secret', () => {
  const text = JSON.stringify(spans)
  expect(text).not.toContain(token)
  expect(text).not.toContain('<p>')
  expect(text).not.toMatch(/SELECT|UPDATE|INSERT/)
})
