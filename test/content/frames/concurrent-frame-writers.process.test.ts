import { describe, expect, it } from 'vitest'
import { readSiteGraph } from '../../../src/content/frames/read-graph.ts'
import { issueTokenFor } from '../../support/api.ts'
import type { Answer } from '../../support/frames-api.ts'
import { useNetwork } from '../../support/network.ts'
import { startServeProcesses } from '../../support/serve-processes.ts'
import { use } from '../../support/use.ts'

const network = await useNetwork()
const token = await issueTokenFor(network, 'alice')
const service = await use(
  startServeProcesses(3, network.url, { TABLE_PREFIX: network.globals.basePrefix }),
)

const send = (method: string, path: string, body: object) =>
  service.send(token, method, `/site/2${path}`, body)

const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

describe('several processes on one site', () => {
  it('rejects concurrent creates of the same slug but one, on a site without frames', async () => {
    const answers = await times(18, (index) =>
      send('POST', '/frames', { slug: 'contested', html: `by ${index}` }),
    )
    const winners = answers.filter(({ status }) => status === 200)
    expect(winners).toHaveLength(1)
    const winnerId = winners[0]?.body.frame.id
    for (const { status, body } of answers.filter((answer) => answer !== winners[0])) {
      expect([status, body.error, body.id]).toEqual([409, 'slug_taken', winnerId])
    }
  })

  it('accepts concurrent creates of different frames', async () => {
    const answers = await times(30, (index) =>
      send('POST', '/frames', { slug: `own-${index}`, html: 'x' }),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200))
    const graph = await readSiteGraph(network.db, await network.site(2))
    expect(graph.all().filter(({ slug }) => slug.startsWith('own-'))).toHaveLength(30)
  })

  it('applies a concurrent rename and replacement of one frame', async () => {
    await send('POST', '/frames', {
      slug: 'embedder',
      html: '<!-- svc/frame {"name":"moving-0"} /-->',
    })
    const { body } = await send('POST', '/frames', { slug: 'moving-0', html: 'markup 0' })
    const { id } = body.frame
    for (let round = 1; round <= 8; round += 1) {
      const [renamed, replaced] = await Promise.all([
        send('PATCH', `/frames/${id}`, { slug: `moving-${round}` }),
        send('PUT', `/frames/${id}`, { html: `markup ${round}` }),
      ])
      expect([renamed.status, replaced.status]).toEqual([200, 200])
      const answer = await fetch(`${service.urls[0]}/site/2/frames/${id}`, {
        headers: { Authorization: `Bearer ${token}` },
      })
      const parsed: Answer['body'] = await answer.json()
      expect(parsed.frame).toMatchObject({
        slug: `moving-${round}`,
        html: `markup ${round}`,
        referenced_by: ['embedder'],
      })
    }
  })
})
