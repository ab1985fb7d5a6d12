import type { Response } from 'supertest'
import { describe, expect, it } from 'vitest'
import { useFramesApi } from '../support/frames-api.ts'
import { setOption } from '../support/network.ts'

/** Conditional requests (RFC 9110, section 13): two clients change the same frame. */

const frames = await useFramesApi()
const alice = await frames.api.as('alice')

const tagOf = (answer: Response): string => answer.get('ETag') ?? ''

/** Creates a frame on the shop and returns its path. */
async function make(slug: string, html = '<p>one</p>'): Promise<{ path: string; tag: string }> {
  const made = await alice.post('/site/2/frames').send({ slug, html }).expect(200)
  return { path: `/site/2/frames/${slug}`, tag: tagOf(made) }
}

describe('the ETag of a read', () => {
  it('is strong, and is unchanged while nothing changes', async () => {
    const { path } = await make('tag-strong')
    const first = await alice.get(path).expect(200)
    expect(tagOf(first)).toMatch(/^"[\w-]+\.[\w-]+"$/)
    expect(tagOf(await alice.get(path))).toBe(tagOf(first))
  })

  it('answers If-None-Match with 304 and no body, also for HEAD', async () => {
    const { path } = await make('tag-known')
    const tag = tagOf(await alice.get(path))
    for (const known of [tag, `"other", W/${tag}`, '*']) {
      const answer = await alice.get(path).set('If-None-Match', known).expect(304)
      expect(answer.text).toBe('')
      expect(tagOf(answer)).toBe(tag)
      await alice.head(path).set('If-None-Match', known).expect(304)
    }
    await alice.get(path).set('If-None-Match', '"other"').expect(200)
  })

  it('changes with everything in the response, whatever changed it', async () => {
    const { path } = await make('tag-shown')
    const seen = new Set<string>()
    const look = async () => {
      const answer = await alice.get(path).expect(200)
      expect(seen).not.toContain(tagOf(answer))
      for (const old of seen) await alice.get(path).set('If-None-Match', old).expect(200)
      seen.add(tagOf(answer))
    }
    await look()
    await alice.put(path).send({ html: '<p>two</p>' }).expect(200)
    await look()
    await alice.post(`${path}/assign`).send({ page: 2 }).expect(200)
    await look()
    await make('tag-embedder', '<!-- svc/frame {"name":"tag-shown"} /-->')
    await look()
    await make('tag-live', '<!-- svc/content /-->')
    await alice.put(path).send({ html: '<!-- svc/frame {"name":"tag-live"} /-->' }).expect(200)
    await look()
    await alice.put('/site/2/frames/tag-live').send({ html: 'x' }).expect(200)
    await look()
  })

  it('is also sent with lists and data', async () => {
    for (const path of ['frames', 'frames?q=tag', 'menus', 'data/site', 'data/menu.header']) {
      const tag = tagOf(await alice.get(`/site/2/${path}`).expect(200))
      await alice.get(`/site/2/${path}`).set('If-None-Match', tag).expect(304)
    }
  })

  it('is not sent to callers without access', async () => {
    const { path } = await make('tag-foreign')
    const tag = tagOf(await alice.get(path))
    const [bob, nobody] = [await frames.api.as('bob'), await frames.api.as()]
    await bob.get(path).set('If-None-Match', tag).expect(404)
    await nobody.get(path).set('If-None-Match', '*').expect(401)
  })
})

describe('a conditional write', () => {
  const refused = (tag: string) => ({
    success: false,
    error: 'precondition_failed',
    message: expect.stringMatching(
      /^The frame ".*" has changed since you read it \(last change: .* GMT by user \d+\)\. .*\.$/,
    ),
    etag: tag,
    updated_by: 2,
    updated_at_gmt: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
  })

  const writes = [
    { name: 'PUT', method: 'put', below: '', body: { html: '<p>two</p>' } },
    { name: 'PATCH', method: 'patch', below: '', body: { slug: 'renamed' } },
    { name: 'assign', method: 'post', below: '/assign', body: { page: 2 } },
    { name: 'DELETE', method: 'delete', below: '', body: {} },
  ] as const

  it.each(writes)('$name changes only the version in If-Match', async (write) => {
    const { method, below, name } = write
    const slug = `on-${name.toLowerCase()}`
    const { path, tag: first } = await make(slug)
    const stale = tagOf(await alice.get(path))
    await alice.put(path).send({ html: '<p>meanwhile</p>' }).expect(200)
    const before = await alice.get(path)
    for (const old of [stale, first, `"x", ${stale}`, '"x"', 'x', `W/${tagOf(before)}`]) {
      const answer = await alice[method](`${path}${below}`)
        .set('If-Match', old)
        .send(write.body)
        .expect(412)
      expect(answer.body).toEqual(refused(tagOf(answer)))
      expect(tagOf(before).startsWith(tagOf(answer).slice(0, -1))).toBe(true)
    }
    expect((await alice.get(path)).body).toEqual(before.body)
    const body = 'slug' in write.body ? { slug: `${slug}-renamed` } : write.body
    await alice[method](`${path}${below}`)
      .set('If-Match', `"x", ${tagOf(before)}`)
      .send(body)
      .expect(200)
  })

  it('returns the ETag for the next write', async () => {
    const { path, tag } = await make('on-and-on')
    let current = tag
    for (const html of ['<p>two</p>', '<p>three</p>']) {
      const answer = await alice.put(path).set('If-Match', current).send({ html }).expect(200)
      current = tagOf(answer)
    }
    const renamed = await alice.patch(path).set('If-Match', current).send({ slug: 'on-and-off' })
    expect(renamed.status).toBe(200)
    await alice.delete('/site/2/frames/on-and-off').set('If-Match', tagOf(renamed)).expect(200)
  })

  it('accepts the ETag of a 412 response', async () => {
    const { path } = await make('on-refusal')
    const answer = await alice.delete(path).set('If-Match', '"x"').expect(412)
    await alice.delete(path).set('If-Match', answer.body.etag).expect(200)
  })

  it('detects that the rename of another frame rewrote this one', async () => {
    await make('on-embedded')
    const { path, tag } = await make('on-embedder', '<!-- svc/frame {"name":"on-embedded"} /-->')
    await alice.patch('/site/2/frames/on-embedded').send({ slug: 'on-embedded-else' }).expect(200)
    await alice.put(path).set('If-Match', tag).send({ html: 'x' }).expect(412)
  })

  it('detects a change of the record by other software', async () => {
    const { path, tag } = await make('on-foreign')
    const { body } = await alice.get(path)
    await setOption(frames.network, 2, `svc_frame_${body.frame.id}`, '<p>by hand</p>')
    const answer = await alice.put(path).set('If-Match', tag).send({ html: 'x' }).expect(412)
    expect(answer.body).toMatchObject({
      updated_by: 0,
      message: expect.stringMatching(/author and time unknown/),
    })
  })

  it('ignores on which pages the frame is', async () => {
    const { path } = await make('on-pages')
    const tag = tagOf(await alice.get(path))
    await alice.post(`${path}/assign`).send({ page: 2 }).expect(200)
    await alice.put(path).set('If-Match', tag).send({ html: 'x' }).expect(200)
  })

  it('requires with * that the frame exists, or that it does not exist', async () => {
    const { path } = await make('on-any')
    await alice.put(path).set('If-Match', '*').send({ html: 'x' }).expect(200)
    await alice.put(path).set('If-None-Match', '*').send({ html: 'y' }).expect(412)
    const tag = tagOf(await alice.get(path))
    await alice.put(path).set('If-None-Match', tag).send({ html: 'y' }).expect(412)
    await alice.put(path).set('If-None-Match', '"x"').send({ html: 'y' }).expect(200)
    await alice.put('/site/2/frames/none').set('If-Match', '*').send({ html: 'x' }).expect(404)

    const post = (slug: string) => alice.post('/site/2/frames').send({ slug, html: 'x' })
    const { body } = await post('on-any').set('If-None-Match', '*').expect(412)
    expect(body).toMatchObject({ error: 'precondition_failed', updated_by: 2 })
    await post('on-any').expect(409)
    await post('on-none').set('If-Match', '*').expect(412)
    await post('on-none').set('If-None-Match', '*').expect(200)
  })

  it('is rejected in a dry run too, which returns no ETag', async () => {
    const { path, tag } = await make('on-trial')
    const dryRun = { html: 'x', dry_run: true }
    await alice.put(path).set('If-Match', '"x"').send(dryRun).expect(412)
    const answer = await alice.put(path).set('If-Match', tag).send(dryRun).expect(200)
    expect(answer.get('ETag')).toBeUndefined()
  })

  it('succeeds once if several concurrent requests name the same version', async () => {
    const { path, tag } = await make('on-race')
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        alice
          .put(path)
          .set('If-Match', tag)
          .send({ html: `<p>${at}</p>`, bake: false }),
      ),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array.from({ length: 11 }, () => 412)])
    const won = answers.findIndex(({ status }) => status === 200)
    expect((await alice.get(path)).body.frame.html).toBe(`<p>${won}</p>`)
  })
})
