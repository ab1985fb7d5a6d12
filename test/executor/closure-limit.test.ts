import { describe, expect, it } from 'vitest'
import { readSiteGraph } from '../../src/frames/read-graph.ts'
import { MAX_CLOSURE_BYTES } from '../../src/markup/evaluation/budget.ts'
import { use } from '../support/use.ts'
import { createExecutorFixture } from './executor-fixture.ts'

const PAGE = 10
const MEGABYTE = 1024 * 1024
const name = (index: number) => `part-${index}`
const parts = Array.from({ length: 18 }, (_, index) => name(index))
const embeds = parts.map((slug) => `<!-- svc/frame {"name":"${slug}"} /-->`).join('')

/** A frame of one megabyte that prints only its own name. */
const large = (slug: string) =>
  `<i>${slug}</i><!-- svc/repeat {"source":"dataset.none"} -->${'x'.repeat(MEGABYTE)}<!-- /svc/repeat -->`

const built = await use(createExecutorFixture())
for (const slug of parts) await built.frame(slug, large(slug), { bake: false })

const printed = (slugs: readonly string[]) => slugs.map((slug) => `<i>${slug}</i>`).join('')
const warning = (slug: string) =>
  `all: "${slug}" prints nothing, because "all" and its embedded frames exceed 16 MB of markup.`

describe('a frame that embeds more markup than a build reads', () => {
  it('prints the embedded frames up to the limit, in order, and reports the omitted ones', async () => {
    const { bake } = await built.frame('all', embeds)
    expect(bake).toMatchObject({ status: 'ok', response: { frames: parts } })
    const warnings = bake.status === 'ok' ? bake.response.warnings : []
    expect(warnings).toEqual(parts.slice(15).map(warning))
    await built.assign('all', [PAGE])
    expect(await built.render(PAGE)).toBe(printed(parts.slice(0, 15)))
  })

  it('is rebuilt only if a frame in it changes', async () => {
    expect((await built.touch('menus')).rebaked.total).toBe(0)
    const graph = await readSiteGraph(built.network.db, built.site)
    const id = await built.idOf('all')
    const before = await built.copyOf('all')
    expect(await built.render(PAGE)).toBe(printed(parts.slice(0, 15)))
    expect(await built.copyOf('all')).toBe(before)
    expect(graph.closureBytes(id)).toBeGreaterThan(MAX_CLOSURE_BYTES)
    // An omitted frame is included once an earlier one becomes small.
    const { rebaked } = await built.frame(name(0), '<i>part-0</i>')
    expect(rebaked).toMatchObject({ baked: 1, frames: [{ slug: 'all' }] })
    expect(await built.render(PAGE)).toBe(printed(parts.slice(0, 16)))
  })

  it('omits the same frames if they are deferred', async () => {
    // The page has one ancestor.
    const waiting = `<!-- svc/repeat {"source":"page.ancestors"} -->${embeds}<!-- /svc/repeat -->`
    await built.frame('all', waiting)
    expect(await built.render(PAGE)).toBe(printed(parts.slice(0, 16)))
  })
})
