import { expect, it } from 'vitest'
import { startApi, useApi } from '../../support/api.ts'

const MB = 1024 * 1024

const { network, api } = await useApi({ storedMbPerSite: 1 })

it('the API rejects markup beyond the quota of the site, but allows the site to shrink', async () => {
  const alice = await api.as('alice')
  const html = 'x'.repeat(600_000)
  await alice.post('/site/2/frames').send({ slug: 'one', html, bake: false }).expect(200)
  for (const dry_run of [true, false]) {
    const { body } = await alice
      .post('/site/2/frames')
      .send({ slug: 'two', html, bake: false, dry_run })
      .expect(413)
    expect(body).toEqual({
      success: false,
      error: 'site_quota_exceeded',
      message: expect.stringContaining('STORED_MB_PER_SITE'),
      used_bytes: 600_000,
      wanted_bytes: 1_200_000,
      limit_bytes: MB,
    })
  }
  await alice.get('/site/2/frames/two').expect(404)
  const larger = { html: 'x'.repeat(1_100_000), bake: false }
  const { body } = await alice.put('/site/2/frames/one').send(larger).expect(413)
  expect(body.error).toBe('site_quota_exceeded')
  await alice.put('/site/2/frames/one').send({ html: 'small', bake: false }).expect(200)
  await alice.post('/site/2/frames').send({ slug: 'two', html, bake: false }).expect(200)

  // Each site has a quota.
  const admin = await api.as('admin')
  await admin.post('/site/3/frames').send({ slug: 'one', html, bake: false }).expect(200)
})

it('the API allows a site above a lowered limit to write markup that does not grow', async () => {
  const admin = await api.as('admin')
  const unlimited = await startApi(network)
  const all = await unlimited.as('admin')
  const html = 'x'.repeat(2 * MB)
  await all.post('/site/1/frames').send({ slug: 'large', html, bake: false }).expect(200)
  await unlimited.close()
  const smaller = { html: 'x'.repeat(MB + 1000), bake: false }
  await admin.put('/site/1/frames/large').send(smaller).expect(200)
  await admin.patch('/site/1/frames/large').send({ slug: 'big', bake: false }).expect(200)
  await admin.post('/site/1/frames').send({ slug: 'more', html: 'x', bake: false }).expect(413)
  await admin.delete('/site/1/frames/big').send({ bake: false }).expect(200)
})
