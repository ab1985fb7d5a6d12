import { describe, expect, it } from 'vitest'
import { createClient, type Output } from '../../../packages/client/src/index.ts'
import { MAX_LARGE_BODY_BYTES } from '../../../src/api/request-body.ts'
import { startApi } from '../../support/api.ts'
import { startRunWorker } from '../../support/run-worker.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'
import { use } from '../../support/use.ts'
import { useTruth } from '../../wordpress/clone-truth.ts'

const network = await useTruth()
const api = await use(startApi(network))
const client = createClient({ url: api.url, token: await api.token('admin') })
await use(startRunWorker(network))
const docs = createSiteFixture(network.db, await network.site(3))

type Description = Output<'getSiteDescription'>['description']

const describeSite = async (site_id: number) => client.getSiteDescription({ site_id })

/** Plans a description, and returns the states and the steps of its sites. */
async function plan(description: Description) {
  const { plan } = await client.createPlan({ body: description })
  const planned = await client.waitForPlan(plan.id, { intervalSeconds: 0.05 })
  const { results } = await client.getPlan({ id: plan.id })
  return {
    id: plan.id,
    planned: planned.state,
    results: results.map(({ site_id, state, message, steps }) => ({
      site_id,
      state,
      message,
      steps,
    })),
  }
}

async function apply(id: string) {
  await client.applyPlan({ id, body: {} })
  return (await client.waitForPlan(id, { intervalSeconds: 0.05 })).sites
}

describe('the description of a site', () => {
  it.each([1, 2, 3, 4])('changes nothing of site %d as it is', async (site_id) => {
    const { description } = await describeSite(site_id)
    expect(await plan(description)).toMatchObject({
      planned: 'planned',
      results: [{ site_id, state: 'planned', message: null, steps: [] }],
    })
  })

  /** Gives the items of the menu what only wp-admin writes: attributes, and a link to a category. */
  async function editItems() {
    const { posts, postmeta, terms } = docs.site.tables
    const { items } = await client.getMenu({ site_id: 3, ref: 'With {{ braces }}' })
    const [parent, child] = items.map(({ id }) => id)
    const { sql } = network.db
    await sql(posts).where({ ID: parent }).update({ post_excerpt: 'hint', post_content: 'text' })
    const [category] = await sql(terms).where({ slug: 'uncategorized' })
    const setMeta = (post_id: number | undefined, meta_key: string, meta_value: string) =>
      sql(postmeta).where({ post_id, meta_key }).update({ meta_value })
    await setMeta(parent, '_menu_item_xfn', 'nofollow')
    await setMeta(child, '_menu_item_type', 'taxonomy')
    await setMeta(child, '_menu_item_object', 'category')
    await setMeta(child, '_menu_item_object_id', String(category.term_id))
  }

  it('brings back everything that was changed', async () => {
    const site_id = 3
    await docs.frame('kept', '<p>{{ x }}</p>')
    await docs.assign('kept', [await docs.page({ slug: 'with-frame' })])
    await docs.setOption('svc_data_variables', '{"phone":"1"}')
    const items = [{ url: '#', title: 'Parent', children: [{ url: '/child', title: '{{ x }}' }] }]
    await docs.menu({ name: 'With {{ braces }}', items, location: 'footer_3' })
    await editItems()
    const before = await describeSite(site_id)
    expect(JSON.stringify(before.description)).toMatch(/"location":"footer_3"/)
    for (const text of ['nofollow', 'hint', '"taxonomy":"category"', '"phone":"1"'])
      expect(JSON.stringify(before.description)).toContain(text)

    await client.deleteFrame({ site_id, ref: 'kept' })
    await client.deleteMenu({ site_id, ref: 'With {{ braces }}' })
    await docs.setOption('svc_data_variables', '{"phone":"2"}')
    expect((await describeSite(site_id)).description).not.toEqual(before.description)
    const { id, results } = await plan(before.description)
    expect(new Set(results[0]?.steps.map(({ kind }) => kind))).toEqual(
      new Set(['frame', 'menu', 'location', 'assignment', 'dataset']),
    )
    expect(await apply(id)).toEqual({ applied: 1 })
    expect((await describeSite(site_id)).description).toEqual(before.description)
    expect((await plan(before.description)).results[0]?.steps).toEqual([])
  })

  it('names what it does not contain', async () => {
    await docs.setOption('svc_data_variables', '["1"]')
    const { notes, site_id } = await describeSite(3)
    expect(site_id).toBe(3)
    expect(notes.join('\n')).toMatch(/^net\.test\/docs: the option svc_data_variables is left out/m)
  })

  it('is refused if it is larger than a plan', async () => {
    const shop = createSiteFixture(network.db, await network.site(2))
    // JSON has six characters for each of these.
    const html = '\u0001'.repeat(MAX_LARGE_BODY_BYTES / 10)
    await shop.replaceFrames([
      { id: 'a'.repeat(16), slug: 'large', html },
      { id: 'b'.repeat(16), slug: 'larger', html },
    ])
    await expect(describeSite(2)).rejects.toMatchObject({
      code: 'description_too_large',
      fields: { max_bytes: MAX_LARGE_BODY_BYTES },
    })
  })
})
