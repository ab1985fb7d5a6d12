import { brotliCompressSync, gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { Metrics } from '../../../../src/host/metrics.ts'
import { startApi } from '../../../../test/support/api.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { useNetwork } from '../../../../test/support/network.ts'
import { recordLog } from '../../../../test/support/recorded-log.ts'
import { FAST } from '../../../../test/support/timings.ts'
import { use } from '../../../../test/support/use.ts'
import { LIVE_COMPARISONS } from '../../src/old-endpoint/live-comparison.ts'
import { legacyAt, startOldEndpoint } from '../old-endpoint.ts'

const { log, lines } = recordLog('warn')
const metrics = new Metrics(FAST.health)
const network = await useNetwork()
const old = await use(startOldEndpoint())
const asOld = await use(startApi(network))
const legacy = legacyAt(old.url, 'frames=compare,menus=compare,me=compare')
const api = await use(startApi(network, { ...legacy, metrics, log }))
const agent = (await api.as()).set('X-Svc-Key', await asOld.token('alice'))

/** Figures of a metric by the values of its labels: `frames equal`. */
async function figures(name: string): Promise<Record<string, number>> {
  const metric = (await metrics.read()).find((one) => one.name === `wp_frames_legacy_${name}`)
  return Object.fromEntries(
    (metric?.values ?? []).map(({ labels, value }) => [
      Object.values(labels as Record<string, string>).join(' '),
      value as number,
    ]),
  )
}
const outcomes = () => figures('comparisons_total')
const sumOf = (counts: Record<string, number>) =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)

/** Outcomes that were counted during `work`, once `count` comparisons have ended. */
async function during(work: () => Promise<unknown>, count = 1): Promise<Record<string, number>> {
  const before = await outcomes()
  await work()
  await eventually(async () => expect(sumOf(await outcomes()) - sumOf(before)).toBe(count))
  const after = Object.entries(await outcomes())
  return Object.fromEntries(
    after
      .map(([label, value]) => [label, value - (before[label] ?? 0)] as const)
      .filter(([, value]) => value > 0),
  )
}

let change = (text: string) => text
let beforeAnswer = async (): Promise<unknown> => undefined

beforeEach(() => {
  lines.length = 0
  change = (text) => text
  beforeAnswer = async () => undefined
  old.answer = async (request, response) => {
    const token = String(request.headers['x-svc-key'])
    const path = String(request.url).replace('/old/v1', '')
    const answer = await fetch(asOld.url + path, { headers: { 'X-Svc-Key': token } })
    const text = change(await answer.text())
    await beforeAnswer()
    const type = String(answer.headers.get('content-type'))
    response.writeHead(answer.status, { 'Content-Type': type }).end(text)
  }
})

describe('an answer that is compared', () => {
  it.each([
    ['frames', '/site/2/frames?include_html=1'],
    ['frames', '/frames/none?blog_id=2'],
    ['menus', '/menus?domain=net.test/shop'],
    ['me', '/me'],
  ])('is equal: %s %s', async (family, path) => {
    expect(await during(() => agent.get(path))).toEqual({ [`${family} equal`]: 1 })
    expect(lines).toEqual([])
  })

  it('is sent as the old endpoint sends it, and its difference is counted and logged without values', async () => {
    change = (text) => text.replaceAll('"total":', '"count":')
    const counted = await during(async () => {
      const { body } = await agent.get('/site/2/menus')
      expect(body).toHaveProperty('count')
    })
    expect(counted).toEqual({ 'menus different': 1 })
    expect(await figures('differences_total')).toMatchObject({ 'menus missing': 1 })
    const [line = '{}'] = lines
    expect(JSON.parse(line)).toMatchObject({ family: 'menus', req: { method: 'GET' } })
    expect(JSON.parse(line).differences).toContain('missing count')
    expect(line).not.toContain('header')
  })

  it('shows that a token is not known here', async () => {
    old.answer = (_request, response) => void response.writeHead(200).end('{"success":true}')
    const unknown = () => agent.get('/site/2/menus').set('X-Svc-Key', `op_${'x'.repeat(64)}`)
    expect(await during(unknown)).toEqual({ 'menus different': 1 })
    expect(await figures('differences_total')).toMatchObject({ 'menus status': 1 })
  })

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ] as const)('may be compressed: %s', async (coding, compress) => {
    const { answer } = old
    const plain = await (
      await fetch(`${asOld.url}/site/2/menus`, {
        headers: { 'X-Svc-Key': await asOld.token('alice') },
      })
    ).text()
    old.answer = (_request, response) => {
      const headers = {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Encoding': coding,
      }
      response.writeHead(200, headers).end(compress(plain))
    }
    const send = () => agent.get('/site/2/menus').expect('Content-Encoding', coding)
    expect(await during(send)).toEqual({ 'menus equal': 1 })
    old.answer = answer
  })

  it('is skipped if it has no body of its own', async () => {
    old.answer = (_request, response) => void response.writeHead(304).end()
    expect(await during(() => agent.get('/site/2/menus').expect(304))).toEqual({
      'menus skipped': 1,
    })
  })

  it('is not comparable if rows have changed meanwhile', async () => {
    const { terms } = (await network.site(2)).tables
    let moves = 0
    beforeAnswer = () => {
      moves += 1
      return network.db
        .sql(terms)
        .where({ term_id: 26 })
        .update({ name: `Moved ${moves}` })
    }
    change = (text) => text.replace('"success":true', '"success":"yes"')
    // On a busy machine, ours may be read when the rows have changed already.
    await eventually(async () => {
      lines.length = 0
      const outcome = await during(() => agent.get('/site/2/menus'))
      expect(outcome).toEqual({ 'menus not_comparable': 1 })
    })
    expect(lines).toEqual([])
  })

  it('is skipped if too many are compared, and nobody waits', async () => {
    const count = LIVE_COMPARISONS.concurrency + 3
    let arrived = 0
    let release = () => {}
    const all = new Promise<void>((resolve) => {
      release = resolve
    })
    beforeAnswer = () => {
      arrived += 1
      if (arrived === count) release()
      return all
    }
    const counted = await during(
      () => Promise.all(Array.from({ length: count }, () => agent.get('/site/2/menus'))),
      count,
    )
    expect(counted).toEqual({ 'menus equal': LIVE_COMPARISONS.concurrency, 'menus skipped': 3 })
  })

  it('is skipped if there is none', async () => {
    old.answer = (_request, response) => void response.destroy()
    expect(await during(() => agent.get('/site/2/menus').expect(502))).toEqual({
      'menus skipped': 1,
    })
  })
})

it('compares neither writes, nor what is no read of ours', async () => {
  const before = await outcomes()
  old.answer = (_request, response) => void response.writeHead(200).end('{}')
  await agent.put('/site/2/frames/header').send({ html: 'x' }).expect(200)
  await agent.get('/site/2/frames?_method=DELETE').expect(200)
  await agent.head('/site/2/frames').expect(200)
  await agent.options('/site/2/frames').expect(200)
  await agent.get('/site/2/frames/a/b').expect(200)
  expect(await outcomes()).toEqual(before)
  expect(old.received.at(-5)).toMatchObject({ method: 'PUT', body: '{"html":"x"}' })
})

it('counts passed requests by family, and passes no made-up family', async () => {
  old.answer = (_request, response) => void response.writeHead(201).end('{}')
  await agent.post('/site/2/media')
  await agent.get('/site/2/made-up').expect(404)
  await eventually(async () =>
    expect(await figures('requests_total')).toMatchObject({
      'media POST 201': 1,
    }),
  )
})
