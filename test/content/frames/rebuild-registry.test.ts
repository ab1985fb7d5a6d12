import { afterEach, describe, expect, it } from 'vitest'
import { encodePhp } from '#php-serialized'
import { createFrame } from '../../../src/content/frames/create-frame.ts'
import { bakedOption, metaOption, recordOption } from '../../../src/content/frames/option-names.ts'
import { readFrame } from '../../../src/content/frames/read-frame.ts'
import { readSiteGraph } from '../../../src/content/frames/read-graph.ts'
import { encodeRecord } from '../../../src/content/frames/record.ts'
import { readRegistry } from '../../../src/content/frames/registry.ts'
import { replaceFrame } from '../../../src/content/frames/replace-frame.ts'
import type { Reply } from '../../../src/db/sender.ts'
import { readOption } from '../../../src/wordpress/options/read-options.ts'
import { writeOptions } from '../../../src/wordpress/options/write-options.ts'
import { useNetwork } from '../../support/network.ts'
import { statementsOf } from '../../support/statements.ts'

const write = { userId: 2, now: '2026-01-02 03:04:05', bake: true }

const network = await useNetwork()
const site = await network.site(2)

/** Stores records without a registry. */
async function store(records: Record<string, string>): Promise<void> {
  const options = Object.entries(records).map(([id, value]) => ({ name: recordOption(id), value }))
  await network.db.write({}, (tx) => writeOptions(tx, site, options, 'off'))
}
afterEach(async () => {
  await network.db.sql(site.tables.options).where('option_name', 'like', 'svc\\_frame%').delete()
})

const names = async () => (await readSiteGraph(network.db, site)).registry.all()

describe('a site without its registry', () => {
  it('has the frames whose records contain their slugs, in all formats', async () => {
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

  it('uses ids as slugs if records contain no valid slug', async () => {
    await store({
      aaaaaaaaaaaaaaa1: '<p>bare</p>',
      aaaaaaaaaaaaaaa2: encodePhp({ slug: 'Not A Slug', html: 'x' }),
      aaaaaaaaaaaaaaa3: 'a:1:{s:4:"slug";s:99:"damaged";}',
    })
    expect((await names()).map(({ id, slug }) => id === slug)).toEqual([true, true, true])
    const name = { id: 'aaaaaaaaaaaaaaa1', slug: 'aaaaaaaaaaaaaaa1' }
    expect((await readFrame(network.db, site, name)).record.html).toBe('<p>bare</p>')
  })

  it('assigns a duplicate slug to the record written last', async () => {
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

  it('ignores options that are not records', async () => {
    await store({
      aaaaaaaaaaaaaaa1: encodePhp({ slug: 'one', html: 'x' }),
      aaaaaaaaaaaaaaa1_meta: '{}',
      aaaaaaaaaaaaaaa1_baked: 'x',
      aaaaaaaaaaaaaaa: 'short',
      gggggggggggggggg: 'no id',
    })
    expect(await names()).toEqual([{ id: 'aaaaaaaaaaaaaaa1', slug: 'one' }])
  })

  it('is read without markup, metas and baked copies', async () => {
    const large = 'ä'.repeat(5000)
    const dates = { created_at_gmt: write.now, updated_at_gmt: write.now, updated_by: 2 }
    const ids = Array.from({ length: 200 }, (_, index) => `a${String(index).padStart(15, '0')}`)
    const options = ids.flatMap((id, index) => [
      {
        name: recordOption(id),
        value: encodeRecord({ slug: `frame-${index}`, html: large, ...dates }),
      },
      { name: metaOption(id), value: '{}' },
      { name: bakedOption(id), value: large },
    ])
    await network.db.write({}, (tx) => writeOptions(tx, site, options, 'off'))
    let bytes = 0
    const count = (_: unknown, { rows }: Reply): void => {
      bytes += JSON.stringify(rows).length
    }
    network.db.statements.on('answered', count)
    try {
      const statements = await statementsOf(network.db, async () => {
        expect((await readRegistry(network.db, site)).find('frame-199')?.id).toBe(ids[199])
      })
      expect(statements).toHaveLength(2)
    } finally {
      network.db.statements.off('answered', count)
    }
    expect(bytes).toBeLessThan(400_000)
  })

  it('is not confused by markup that looks like the end of a record', async () => {
    const end = `";s:14:"created_at_gmt";s:19:"${write.now}";s:14:"updated_at_gmt";s:19:"2030-01-01 00:00:00";s:10:"updated_by";i:1;}`
    await store({
      aaaaaaaaaaaaaaa1: encodePhp({ slug: 'real', html: 'x', created_at_gmt: end }),
      aaaaaaaaaaaaaaa2: `a:5:{s:4:"slug";s:4:"fake";s:4:"html";s:1:"${end}`,
      aaaaaaaaaaaaaaa3: encodePhp({ html: 'x', slug: 'reordered', updated_at_gmt: write.now }),
    })
    expect((await names()).map(({ slug }) => slug)).toEqual([
      'aaaaaaaaaaaaaaa2',
      'real',
      'reordered',
    ])
  })

  it('gets a registry with the next write, and sees each record stored before', async () => {
    await store({ aaaaaaaaaaaaaaa1: encodePhp({ slug: 'one', html: 'x' }) })
    expect(await names()).toHaveLength(1)
    await store({ aaaaaaaaaaaaaaa2: encodePhp({ slug: 'two', html: 'x' }) })
    expect(await names()).toHaveLength(2)
    await network.db.write({}, (tx) => replaceFrame(tx, site, 'one', { ...write, html: 'y' }))
    await expect(
      network.db.write({}, (tx) => createFrame(tx, site, { ...write, slug: 'two', html: 'z' })),
    ).rejects.toMatchObject({ code: 'slug_taken' })
    expect(await readOption(network.db, site, 'svc_frames')).toBe(
      encodePhp({ aaaaaaaaaaaaaaa1: 'one', aaaaaaaaaaaaaaa2: 'two' }),
    )
  })
})
