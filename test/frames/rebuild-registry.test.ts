import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createFrame } from '../../src/frames/create-frame.ts'
import { recordOption } from '../../src/frames/option-names.ts'
import { readFrame } from '../../src/frames/read-frame.ts'
import { readSiteGraph } from '../../src/frames/read-graph.ts'
import { replaceFrame } from '../../src/frames/replace-frame.ts'
import type { Site } from '../../src/wordpress/network/site.ts'
import { readOption } from '../../src/wordpress/options/read-option.ts'
import { writeOptions } from '../../src/wordpress/options/write-option.ts'
import { encodePhp } from '../../src/wordpress/serialized/encode-php.ts'
import { cloneNetwork, type TestNetwork } from '../support/network.ts'

let network: TestNetwork
let site: Site
const write = { userId: 2, now: '2026-01-02 03:04:05', bake: true }

beforeAll(async () => {
  network = await cloneNetwork()
  site = await network.site(2)
})
afterAll(() => network.drop())

/** A site with these records and no list of their names. */
async function store(records: Record<string, string>): Promise<void> {
  const options = Object.entries(records).map(([id, value]) => ({ name: recordOption(id), value }))
  await network.db.transaction((tx) => writeOptions(tx, site, options, 'off'))
}
afterEach(async () => {
  await network.db.sql(site.tables.options).where('option_name', 'like', 'svc\\_frame%').delete()
})

const names = async () => (await readSiteGraph(network.db, site)).registry.all()

describe('a site that has lost the list of its frames', () => {
  it('has the frames whose records say their names, in all forms', async () => {
    await store({
      aaaaaaaaaaaaaaa1: encodePhp({ slug: 'array', html: 'x' }),
      aaaaaaaaaaaaaaa2: JSON.stringify({ slug: 'JSON', markup: 'x' }),
      '1234567890123456': encodePhp({ slug: 'digits', html: 'x' }),
    })
    expect(await names()).toEqual([
      { id: 'aaaaaaaaaaaaaaa1', slug: 'array' },
      { id: '1234567890123456', slug: 'digits' },
      { id: 'aaaaaaaaaaaaaaa2', slug: 'json' },
    ])
  })

  it('has frames by their ids whose records say no name, or none that a frame can bear', async () => {
    await store({
      aaaaaaaaaaaaaaa1: '<p>bare</p>',
      aaaaaaaaaaaaaaa2: encodePhp({ slug: 'Not A Slug', html: 'x' }),
      aaaaaaaaaaaaaaa3: 'a:1:{s:4:"slug";s:99:"damaged";}',
    })
    expect((await names()).map(({ id, slug }) => id === slug)).toEqual([true, true, true])
    const name = { id: 'aaaaaaaaaaaaaaa1', slug: 'aaaaaaaaaaaaaaa1' }
    expect((await readFrame(network.db, site, name)).record.html).toBe('<p>bare</p>')
  })

  it('gives a name to the record that was written last', async () => {
    const record = (updated_at_gmt: string) =>
      encodePhp({ slug: 'same', html: 'x', updated_at_gmt })
    await store({
      aaaaaaaaaaaaaaa1: record('2025-01-01 00:00:00'),
      aaaaaaaaaaaaaaa2: record('2025-01-02 00:00:00'),
      aaaaaaaaaaaaaaa3: encodePhp({ slug: 'same', html: 'x' }),
    })
    const { registry } = await readSiteGraph(network.db, site)
    expect(registry.get('same').id).toBe('aaaaaaaaaaaaaaa2')
    expect(registry.size).toBe(3)
  })

  it('takes nothing else for a record', async () => {
    await store({
      aaaaaaaaaaaaaaa1: encodePhp({ slug: 'one', html: 'x' }),
      aaaaaaaaaaaaaaa1_meta: '{}',
      aaaaaaaaaaaaaaa1_baked: 'x',
      aaaaaaaaaaaaaaa: 'short',
      gggggggggggggggg: 'no id',
    })
    expect(await names()).toEqual([{ id: 'aaaaaaaaaaaaaaa1', slug: 'one' }])
  })

  it('has its list again after the next write, and sees each record that comes before it', async () => {
    await store({ aaaaaaaaaaaaaaa1: encodePhp({ slug: 'one', html: 'x' }) })
    expect(await names()).toHaveLength(1)
    await store({ aaaaaaaaaaaaaaa2: encodePhp({ slug: 'two', html: 'x' }) })
    expect(await names()).toHaveLength(2)
    await network.db.transaction((tx) => replaceFrame(tx, site, 'one', { ...write, html: 'y' }))
    await expect(
      network.db.transaction((tx) => createFrame(tx, site, { ...write, slug: 'two', html: 'z' })),
    ).rejects.toMatchObject({ code: 'slug_taken' })
    expect(await readOption(network.db, site, 'svc_frames')).toBe(
      encodePhp({ aaaaaaaaaaaaaaa1: 'one', aaaaaaaaaaaaaaa2: 'two' }),
    )
  })
})
