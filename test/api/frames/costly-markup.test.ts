import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFrame } from '../../../src/frames/create-frame.ts'
import { type FramesApi, startFramesApi } from '../../support/frames-api.ts'

const NOW = '2026-01-02 03:04:05'

let frames: FramesApi
beforeAll(async () => {
  frames = await startFramesApi()
})
afterAll(() => frames.stop())

/** Two megabytes of one element with very many attributes and binds. */
function hostileElement(): string {
  const names = Array.from({ length: 70_000 }, (_, index) => `a${index}`)
  const binds = Array.from({ length: 90_000 }, (_, index) => `x${index}:site.id`)
  return `<b ${names.join(' ')} data-op-bind="${binds.join(';')}">x</b>`
}

describe('a frame with more than 16 MB of markup in it', () => {
  it('is stored, and its warnings say that some of it will print nothing', async () => {
    const { db } = frames.network
    const site = await frames.network.site(2)
    const slugs = Array.from({ length: 9 }, (_, index) => `large-${index}`)
    for (const slug of slugs) {
      const write = { slug, html: 'x'.repeat(2_000_000), userId: 1, now: NOW, bake: false }
      await db.transaction((tx) => createFrame(tx, site, write))
    }
    const html = slugs.map((slug) => `<!-- svc/frame {"name":"${slug}"} /-->`).join('')
    for (const dry_run of [true, false]) {
      const { status, body } = await frames.send('post', '/frames', { slug: 'all', html, dry_run })
      expect(status).toBe(200)
      expect(body.warnings).toEqual([
        'This frame and the frames that it embeds have more than 16 MB of markup together. 1 of them will print nothing. Split the frame, or embed fewer or smaller frames.',
      ])
      expect(body.applied).toBe(!dry_run)
    }
  })
})

describe('costly markup of one site', () => {
  it("leaves another site's writes alone", async () => {
    const bob = await frames.api.as('bob')
    const html = hostileElement()
    const attack = Array.from({ length: 4 }, (_, index) =>
      bob.post('/site/3/frames').send({ slug: `hostile-${index}`, html, dry_run: true }),
    ).map(async (request) => (await request).body)
    const ordinary = '<p data-op-bind="site.title">x</p>'.repeat(3000)
    const begun = performance.now()
    const { status, body } = await frames.send('post', '/frames', {
      slug: 'ordinary',
      html: ordinary,
    })
    expect(status).toBe(200)
    expect(body.bake.status).toBe('ok')
    expect(performance.now() - begun).toBeLessThan(20_000)
    for (const answer of await Promise.all(attack)) {
      expect(answer).toMatchObject({ success: true, dry_run: true, binds: 0 })
      expect(answer.warnings).toEqual([
        expect.stringMatching(
          /^Line 1, column 1: This <b> has 70001 attributes; .*it is not bound\./,
        ),
      ])
    }
  })
})
