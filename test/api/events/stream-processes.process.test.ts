import { describe, expect, it } from 'vitest'
import { issueTokenFor } from '../../support/api.ts'
import { openStream, type TestStream } from '../../support/event-stream.ts'
import { eventually } from '../../support/eventually.ts'
import { useNetwork } from '../../support/network.ts'
import { startServeProcesses } from '../../support/serve-processes.ts'
import { use } from '../../support/use.ts'

const network = await useNetwork()
const token = await issueTokenFor(network, 'alice')
const start = () =>
  startServeProcesses(1, network.url, { TABLE_PREFIX: network.globals.basePrefix })
const [one, other] = await Promise.all([use(start()), use(start())])

const pathOf = (service: typeof one) => `${service.urls[0]}/site/2/changes`
const slugsIn = ({ events }: TestStream) => events.map(({ data }) => data.things[0]?.name)

describe('streams of two instances', () => {
  it('have the changes of both, and end with their instance, so that their clients go on at another one', async () => {
    const open = (service: typeof one, lastId?: string) =>
      openStream(`${pathOf(service)}?since=now`, { token, ...(lastId ? { lastId } : {}) })
    const streams = await Promise.all([open(one), open(one), open(other)])
    const [first] = streams
    await eventually(() => expect(streams.map((stream) => stream.lastId())).not.toContain(''))
    const write = (service: typeof one, slug: string) =>
      service.send(token, 'POST', '/site/2/frames', { slug, html: '<i></i>', bake: false })
    await write(one, 'by-one')
    await write(other, 'by-other')
    for (const stream of streams) {
      await stream.until(2)
      expect(slugsIn(stream)).toEqual(['by-one', 'by-other'])
    }
    const poll = fetch(`${pathOf(one)}?since=${first.lastId()}&wait=30`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    const begin = performance.now()
    await one.stop()
    expect(performance.now() - begin).toBeLessThan(10_000)
    expect(first.hasEnded()).toBe(true)
    expect(await (await poll).json()).toMatchObject({ events: [] })
    await write(other, 'meanwhile')
    const again = await open(other, first.lastId())
    await again.until(1)
    expect(slugsIn(again)).toEqual(['meanwhile'])
    for (const stream of [...streams, again]) await stream.close()
  })
})
