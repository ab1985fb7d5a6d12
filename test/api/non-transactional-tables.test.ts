import { afterAll, describe, expect, it } from 'vitest'
import { useApi } from '../support/api.ts'
import { checksumsOf } from '../support/checksums.ts'
import { createSiteFixture } from '../support/site-fixture.ts'

const ABOUT = 7

const { network, api } = await useApi()
const shop = createSiteFixture(network.db, await network.site(2), { executor: api.executor })
await shop.frame('page', 'stored')
await shop.assign('page', [ABOUT])
await network.db.sql.raw('ALTER TABLE ?? ENGINE=MyISAM', shop.site.tables.options)
afterAll(() => network.db.sql.raw('ALTER TABLE ?? ENGINE=InnoDB', shop.site.tables.options))

const html = 'changed'
const checksum = () => checksumsOf(network, Object.values(shop.site.tables))

describe('a site with a table that cannot be rolled back', () => {
  it.each([
    ['a preview', 'post', '/preview', { page: ABOUT, frames: [{ slug: 'new', html }] }],
    ['a dry run', 'post', '/frames', { slug: 'new', html, dry_run: true }],
    [
      'a dry run of a batch',
      'post',
      '/batch',
      {
        dry_run: true,
        requests: [{ method: 'PUT', path: '/frames/page', body: { html } }],
      },
    ],
    ['a dry run of a restore', 'post', '/restore', { at: '2000-01-01T00:00:00Z', dry_run: true }],
  ] as const)('stores nothing of %s', async (_, method, path, body) => {
    const stored = await checksum()
    const agent = await api.as('alice')
    const answer = await agent[method](`/site/2${path}`).send(body)
    expect([answer.status, answer.body.error], JSON.stringify(answer.body)).toEqual([
      409,
      'engine_not_transactional',
    ])
    expect(answer.body.message).toContain(`"${shop.site.tables.options}" uses the engine MyISAM`)
    expect(await checksum()).toEqual(stored)
  })

  it('stores nothing of a dry run with a key', async () => {
    const stored = await checksum()
    const agent = await api.as('alice')
    const { body } = await agent
      .put('/site/2/frames/page')
      .set('Idempotency-Key', 'dry')
      .send({ html, dry_run: true })
    expect(body.error).toBe('engine_not_transactional')
    expect(await checksum()).toEqual(stored)
  })

  it('is written, as WordPress writes it', async () => {
    const agent = await api.as('alice')
    const { status } = await agent.put('/site/2/frames/page').send({ html })
    expect(status).toBe(200)
  })
})
