import { expect, it } from 'vitest'
import { readFrameDetails } from '../../../src/api/endpoints/frames.ts'
import { createBakedCopy, encodeBakedCopy } from '../../../src/build/baking/baked-copy.ts'
import { type Closure, closureOf } from '../../../src/build/baking/closure.ts'
import { analyzeMarkup } from '../../../src/content/frames/frame-markup.ts'
import { FrameGraph } from '../../../src/content/frames/graph.ts'
import { bakedOption } from '../../../src/content/frames/option-names.ts'
import { metaOf } from '../../../src/content/frames/record.ts'
import { Registry } from '../../../src/content/frames/registry.ts'
import { useNetwork } from '../../support/network.ts'

const network = await useNetwork()

const LENGTH = 8000
const idOf = (at: number): string => String(at).padStart(16, '0')

/** Frames of which each embeds the next one. */
function chain(): FrameGraph {
  const frames = Array.from({ length: LENGTH }, (_, at) => {
    const [slug, html] = [`f${at}`, `<!-- svc/frame {"name":"f${at + 1}"} /-->`]
    const record = { slug, html, created_at_gmt: '', updated_at_gmt: '', updated_by: 0 }
    return { id: idOf(at), slug, meta: metaOf(record, analyzeMarkup(html)) }
  })
  return new FrameGraph(new Registry(new Map(frames.map(({ id, slug }) => [id, slug]))), frames)
}

const copyWith = (closure: Closure): string =>
  encodeBakedCopy(
    createBakedCopy(
      {
        closure,
        needs: {
          site: [],
          settings: [],
          page: [],
          menus: [],
          datasets: [],
          pages: false,
          languages: false,
        },
        facts: { unknown_inserts: [], bind_tags: 0, repeats: [] },
        digest: '',
        languages: [],
      },
      '',
    ),
  )

it('details of a frame follow no closure further than the baked copy has it', async () => {
  const graph = chain()
  const site = await network.site(2)
  const end = LENGTH - 2
  const rows = graph.all().map(({ id, slug, meta: { sha256 } }) => ({
    option_name: bakedOption(id),
    // All but one were baked before the frame that they embed existed.
    option_value: copyWith(
      id === idOf(end)
        ? closureOf(graph, id)
        : { frames: [{ id, slug, sha256 }], missing: [`f${Number(id) + 1}`] },
    ),
    autoload: 'off',
  }))
  await network.db.sql.batchInsert(site.tables.options, rows, 500)
  const details = await readFrameDetails(network.db, site, graph, graph.all(), new Map())
  expect(details.size).toBe(LENGTH)
  const built = [...details].filter(([, { built }]) => built).map(([id]) => id)
  // The last frame embeds nothing that exists.
  expect(built.sort()).toEqual([idOf(end), idOf(LENGTH - 1)])
  expect(details.get(idOf(0))).toMatchObject({ embeds: 1, embedded_by: 0 })
  expect(details.get(idOf(LENGTH - 1))).toMatchObject({ embeds: 0, embedded_by: 1 })
})
