import { describe, expect, it } from 'vitest'
import { useApi } from '../../support/api.ts'

const { api } = await useApi({ markupWriters: 'super-admins' })

const html = '<script>fetch("/wp-admin/network/")</script>'

describe('with MARKUP_WRITERS=super-admins', () => {
  it('rejects markup of a site administrator, and accepts markup of a super administrator', async () => {
    const [alice, admin] = [await api.as('alice'), await api.as('admin')]
    await admin.post('/site/2/frames').send({ slug: 'banner', html }).expect(200)
    await admin.put('/frames/banner?blog_id=2').send({ html }).expect(200)
    for (const dry_run of [false, true]) {
      for (const [method, path] of [
        ['post', '/site/2/frames'],
        ['put', '/site/2/frames/banner'],
        ['post', '/frames?blog_id=2'],
        ['put', '/frames/banner?blog_id=2'],
      ] as const) {
        const { body } = await alice[method](path).send({ slug: 'mine', html, dry_run }).expect(403)
        expect(body).toEqual({
          success: false,
          error: 'unfiltered_html_required',
          message: expect.stringContaining('MARKUP_WRITERS'),
        })
      }
    }
    const { body } = await alice.get('/site/2/frames/banner').expect(200)
    expect(body.frame).toMatchObject({ slug: 'banner', updated_by: 1 })
  })

  it('allows a site administrator to rename, assign and delete frames', async () => {
    const [alice, admin] = [await api.as('alice'), await api.as('admin')]
    await admin.post('/site/2/frames').send({ slug: 'old', html }).expect(200)
    await admin
      .post('/site/2/frames')
      .send({ slug: 'page', html: '<!-- svc/frame {"name":"old"} /-->' })
      .expect(200)
    const { body } = await alice.patch('/site/2/frames/old').send({ slug: 'new' }).expect(200)
    expect(body.renamed.frames_updated).toEqual(['page'])
    await alice.post('/site/2/frames/page/assign').send({ page: 7 }).expect(200)
    await alice.delete('/site/2/frames/new').expect(200)
  })
})
