import { describe, expect, it } from 'vitest'
import { useFramesApi } from '../../support/frames-api.ts'
import { pagesOf } from '../../support/pages-of.ts'
import { countReads } from '../../support/statements.ts'

const MARKUP = {
  base: '<b data-op-bind="site.title"></b>',
  card: '<!-- svc/frame {"name":"base"} /-->',
  layout: '<!-- svc/frame {"name":"card"} /--><!-- svc/frame {"name":"gone"} /-->',
  // What the frames that embed this one give it is no problem: `item.title`.
  odd: '<i data-op-bind="site.nonsense"></i><u data-op-bind="href:item.url; item.title"></u><!-- svc/oven /-->',
}
const SLUGS = Object.keys(MARKUP).sort()
/** The page of `layout` shows these. */
const SHOWN = ['base', 'card', 'layout']

const frames = await useFramesApi()
for (const [slug, html] of Object.entries(MARKUP))
  await frames.send('post', '/frames', { slug, html })
await frames.send('post', '/frames/layout/assign', { page: 7 })

const read = async (query: string) => (await frames.send('get', `/frames?${query}`)).body
const slugsIn = ({ frames }: { frames: { slug: string }[] }) => frames.map(({ slug }) => slug)

describe('GET /frames in pages', () => {
  it('lists every frame once, and how many there are', async () => {
    const pages = await pagesOf((after) => read(`limit=3&after=${after}`))
    for (const page of pages) {
      expect(page.total).toBe(SLUGS.length)
      expect(page.frames.length).toBeLessThanOrEqual(3)
    }
    expect(pages.flatMap(slugsIn)).toEqual(SLUGS)
    const { body } = await frames.send('get', '/frames?q=a&limit=1&after=base')
    expect(body).toMatchObject({ total: 3, next: 'card', frames: [{ slug: 'card' }] })
  })

  it('selects frames that no page shows, and frames with problems', async () => {
    const unused = await frames.send('get', '/frames?only=unused')
    expect(slugsIn(unused.body)).toEqual(SLUGS.filter((slug) => !SHOWN.includes(slug)))
    const broken = await frames.send('get', '/frames?only=problems&limit=1')
    expect(broken.body).toMatchObject({ total: 2, next: 'layout' })
    expect(slugsIn(broken.body)).toEqual(['layout'])
  })

  it('sorts by size and by the last change, in pages, also if a frame disappears in between', async () => {
    const all = await frames.send('get', '/frames?sort=size')
    const sizes = all.body.frames.map(({ bytes }: { bytes: number }) => bytes)
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a))
    for (const sort of ['size', 'updated']) {
      const whole = slugsIn((await frames.send('get', `/frames?sort=${sort}`)).body)
      const pages = await pagesOf((after) => read(`sort=${sort}&limit=2&after=${after}`))
      expect(pages.flatMap(slugsIn)).toEqual(whole)
    }
    const gone = `${String(sizes[0]).padStart(12, '0')}/zzz`
    const rest = await frames.send('get', `/frames?sort=size&after=${encodeURIComponent(gone)}`)
    expect(slugsIn(rest.body)).toEqual(slugsIn(all.body).slice(1))
  })
})

describe('details of frames', () => {
  const NOTHING = {
    pages: 0,
    shown_on: 0,
    embeds: 0,
    embedded_by: 0,
    built: true,
    problems: [],
    problems_total: 0,
  }

  it('say who uses a frame, and what its bake has found', async () => {
    const { body } = await frames.send('get', '/frames?details=1')
    expect(body.next).toBeNull()
    expect(Object.values(body.names.users)).toEqual([expect.any(String)])
    const details = Object.fromEntries(
      body.frames.map(({ slug, details }: { slug: string; details: object }) => [slug, details]),
    )
    expect(details.base).toEqual({ ...NOTHING, shown_on: 1, embedded_by: 1 })
    expect(details.card).toEqual({ ...NOTHING, shown_on: 1, embeds: 1, embedded_by: 1 })
    expect(details.layout).toMatchObject({
      pages: 1,
      shown_on: 1,
      embeds: 1,
      built: true,
      problems_total: 1,
    })
    expect(details.layout.problems[0]).toContain('frame "gone" does not exist')
    expect(details.odd.problems).toEqual([
      'Line 1, column 85: Unknown insert svc/oven; it prints nothing. Near: <!-- svc/oven /-->',
      'The bind "site.nonsense" at line 1, column 1 names no source.',
    ])
    for (const slug of SLUGS) {
      const one = await frames.send('get', `/frames/${slug}?details=1`)
      expect(one.body.frame.details).toEqual(details[slug])
      expect(one.body.names).toEqual(body.names)
    }
  })

  it('know only missing frames of what is not built', async () => {
    const html = `${MARKUP.odd}<!-- svc/frame {"name":"nobody"} /-->`
    await frames.send('put', '/frames/odd', { html, bake: false })
    const { body } = await frames.send('get', '/frames/odd?details=1')
    expect(body.frame.details).toMatchObject({
      built: false,
      problems: ['The frame "nobody" does not exist; its insert prints nothing.'],
    })
    await frames.send('put', '/frames/odd', { html: MARKUP.odd })
  })

  it('take as many reads for all frames as for one', async () => {
    const count = async (limit: number) => {
      const read = () => frames.send('get', `/frames?details=1&limit=${limit}`)
      return countReads(frames.network.db, read)
    }
    expect(await count(4)).toBe(await count(1))
  })
})
