import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFrame } from '../../../src/content/frames/create-frame.ts'
import { metaOption, recordOption } from '../../../src/content/frames/option-names.ts'
import { readFrame } from '../../../src/content/frames/read-frame.ts'
import { readSiteGraph } from '../../../src/content/frames/read-graph.ts'
import { decodeMeta, decodeRecord, encodeRecord } from '../../../src/content/frames/record.ts'
import { replaceFrame } from '../../../src/content/frames/replace-frame.ts'
import { writeOptions } from '../../../src/wordpress/options/write-options.ts'
import { useNetwork } from '../../support/network.ts'

const write = { userId: 2, now: '2026-01-02 03:04:05', bake: true }

const network = await useNetwork({ charset: 'utf8mb3' })
const site = await network.site(2)

const create = (slug: string, html: string) =>
  network.db.write({}, (tx) => createFrame(tx, site, { ...write, slug, html }))

describe('a stored frame', () => {
  it('is a PHP array in svc_frame_<id>, not autoloaded, with its meta beside it', async () => {
    const { frame } = await create('stored', '<p>ß</p>')
    const rows = await network.db
      .sql(site.tables.options)
      .where('option_name', 'like', 'svc\\_frame%')
      .orderBy('option_name')
      .select('option_name', 'option_value', 'autoload')
    expect(rows).toEqual([
      {
        option_name: recordOption(frame.id),
        option_value:
          'a:5:{s:4:"slug";s:6:"stored";s:4:"html";s:9:"<p>ß</p>";s:14:"created_at_gmt";s:19:"2026-01-02 03:04:05";s:14:"updated_at_gmt";s:19:"2026-01-02 03:04:05";s:10:"updated_by";i:2;}',
        autoload: 'off',
      },
      { option_name: metaOption(frame.id), option_value: expect.any(String), autoload: 'off' },
      {
        option_name: 'svc_frames',
        option_value: `a:1:{s:16:"${frame.id}";s:6:"stored";}`,
        autoload: 'off',
      },
      {
        option_name: 'svc_frames_version',
        option_value: expect.stringMatching(/^[0-9a-f]{24}$/),
        autoload: 'off',
      },
    ])
    expect(decodeMeta(rows[1].option_value)).toEqual(frame.meta)
  })

  it.each([
    ['a damaged record', 'damaged', 'a:1:{s:4:"html";s:99:"x";}', { offset: expect.any(Number) }],
    ['a record without markup', 'unknown', 'a:1:{s:6:"source";s:1:"x";}', {}],
  ])(
    'with %s is rejected, hides no other frame, and is repaired by new markup',
    async (_, slug, value, where) => {
      const { frame } = await create(slug, 'x')
      await network.db.write({}, (tx) =>
        writeOptions(tx, site, [{ name: recordOption(frame.id), value }], 'off'),
      )
      const name = { id: frame.id, slug }
      await expect(readFrame(network.db, site, name)).rejects.toMatchObject({
        code: 'frame_unreadable',
        fields: { id: frame.id, ...where },
      })
      expect((await readSiteGraph(network.db, site)).get(frame.id)?.slug).toBe(slug)
      await network.db.write({}, (tx) => replaceFrame(tx, site, frame.id, { ...write, html: 'y' }))
      expect((await readFrame(network.db, site, name)).record.html).toBe('y')
    },
  )
})

it('the service decodes a record as it was encoded, for any markup', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (html) => {
      fc.pre(html.isWellFormed())
      const record = {
        slug: 'x',
        html,
        created_at_gmt: '2026-01-02 03:04:05',
        updated_at_gmt: '2026-01-02 03:04:06',
        updated_by: 3,
      }
      expect(decodeRecord(encodeRecord(record), 'id', 'x')).toEqual(record)
    }),
  )
})
