import { describe, expect, it } from 'vitest'
import { commandsOn } from '../../support/cli.ts'
import { readRestorableState } from '../../support/restorable-state.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'
import { useTruth } from '../../wordpress/clone-truth.ts'

const network = await useTruth()
const fixtureOf = async (blogId: number) =>
  createSiteFixture(network.db, await network.site(blogId))
const shop = await fixtureOf(2)
const docs = await fixtureOf(3)

const { run, json } = commandsOn(network)

const menuId = await docs.menu({
  name: 'Replaced',
  items: [{ url: 'https://old.test/b', title: 'B' }],
})
await docs.frame('replaced', '<a href="https://old.test/x$&">old.test</a> OLD.TEST')
/** The addresses of the custom links of the menu. */
const links = async () => {
  const { postmeta, termRelationships, termTaxonomy } = docs.site.tables
  return network.db
    .sql({ r: termRelationships })
    .join({ tt: termTaxonomy }, 'tt.term_taxonomy_id', 'r.term_taxonomy_id')
    .join({ m: postmeta }, 'm.post_id', 'r.object_id')
    .where({ 'tt.term_id': menuId, 'm.meta_key': '_menu_item_url' })
    .orderBy('m.post_id')
    .pluck('meta_value')
}

describe('frames replace', () => {
  it('shows in a dry run what it would replace', async () => {
    const before = await readRestorableState(network.db, docs.site)
    const dry = await run('frames', 'replace', 'old.test', 'new.test', '--network', '--dry-run')
    expect(dry.stdout).toContain('2 steps on 1 site')
    expect(dry.stdout).toContain('+<a href="https://new.test/x$&">new.test</a> OLD.TEST')
    expect(await readRestorableState(network.db, docs.site)).toEqual(before)
  })

  it('replaces a text in markup and custom links, and can be taken back', async () => {
    const before = await readRestorableState(network.db, docs.site)
    const { run: id, code } = await json('frames', 'replace', 'old.test', 'new.test', '--network')
    expect(code).toBe(0)
    expect(await links()).toEqual(['https://new.test/b'])
    expect(await run('rollback', id)).toMatchObject({ code: 0 })
    expect(await readRestorableState(network.db, docs.site)).toEqual(before)
  })

  it('replaces once on each site when it is continued after the canary', async () => {
    for (const site of [shop, docs]) await site.frame('repeated', '<p>twice.test</p>')
    const args = ['twice.test', 'www.twice.test', '--network', '--canary', '1']
    const { run: id, code } = await json('frames', 'replace', ...args)
    expect(code).toBe(1)
    expect(await json('apply', id)).toMatchObject({ code: 0, run: id, state: 'done' })
    for (const site of [shop, docs]) {
      const record = await site.option(`svc_frame_${await site.idOf('repeated')}`)
      expect(record).toContain('<p>www.twice.test</p>')
    }
  })
})
