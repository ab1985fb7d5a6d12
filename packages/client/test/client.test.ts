import { describe, expect, expectTypeOf, it } from 'vitest'
import { useApi } from '../../../test/support/api.ts'
import {
  createClient,
  type ForEachSiteOptions,
  isServiceError,
  ServiceError,
} from '../src/index.ts'

const { api } = await useApi()
const alice = createClient({ url: api.url, token: await api.token('alice') })
const admin = createClient({ url: api.url, token: await api.token('admin') })

/** The error that a call throws. */
const errorOf = async (call: Promise<unknown>): Promise<ServiceError> => {
  const error = await call.then(
    () => undefined,
    (reason) => reason,
  )
  if (error instanceof ServiceError) return error
  throw new Error('not a ServiceError', { cause: error })
}

const newFrame = async (slug: string, html = `<p>${slug}</p>`) =>
  (await alice.createFrame({ site_id: 2, body: { slug, html } })).frame

describe('calls', () => {
  it('send path, query and body, and return the body of the response', async () => {
    const { frame } = await alice.createFrame({
      site_id: 2,
      body: { slug: 'called', html: '<p>1</p>' },
    })
    expectTypeOf(frame.slug).toEqualTypeOf<string>()
    const { frames } = await alice.listFrames({ site_id: 2, q: 'call', include_html: true })
    expect(frames).toMatchObject([{ id: frame.id, html: '<p>1</p>' }])
    const { deleted } = await alice.deleteFrame({ site_id: 2, ref: 'called' })
    expect(deleted.id).toBe(frame.id)
  })

  it('encode the parameters of the path', async () => {
    const { menu } = await alice.createMenu({ site_id: 2, body: { name: 'A/B ?#% é' } })
    const read = await alice.getMenu({ site_id: 2, ref: 'A/B ?#% é' })
    expect(read.menu.id).toBe(menu.id)
  })

  it.each(['', '.', '..'])(
    'refuse the path parameter "%s", which would name another path',
    async (ref) => {
      await expect(alice.deleteFrame({ site_id: 2, ref })).rejects.toThrow(TypeError)
    },
  )

  it('give access to the headers of the response', async () => {
    const read = await alice.listMenus({ site_id: 2 })
    const { headers } = alice.responseOf(read)
    expect(headers.get('ETag')).toMatch(/^"/)
    expect(() => alice.responseOf({})).toThrow(TypeError)
  })

  it('are also made by method and path', async () => {
    const { data } = await alice.http.GET('/site/{site_id}/menus', {
      params: { path: { site_id: 2 } },
    })
    expect(data?.site_id).toBe(2)
  })

  it('need an address and a token', () => {
    expect(() => createClient({ url: undefined, token: 'op_' })).toThrow('address')
    expect(() => createClient({ url: api.url, token: '' })).toThrow('token')
  })
})

describe('errors', () => {
  it('have the code, the status and the fields of the response', async () => {
    const { id } = await newFrame('taken')
    const error = await errorOf(newFrame('taken'))
    expect(error).toMatchObject({ code: 'slug_taken', status: 409, fields: { id } })
    expect(error.requestId).toMatch(/^[\w-]{36}$/)
    if (!isServiceError(error, 'slug_taken')) throw error
    expectTypeOf(error.status).toEqualTypeOf<409>()
    expectTypeOf(error.fields.id).toEqualTypeOf<string>()
  })

  it('have the same form before and in an endpoint', async () => {
    const search = 'x'.repeat(2000)
    const invalid = await errorOf(alice.listSites({ search, limit: 0 }))
    expect(invalid).toMatchObject({ code: 'rest_invalid_param', status: 400 })
    if (!isServiceError(invalid, 'rest_invalid_param')) throw invalid
    expect(Object.keys(invalid.fields.params)).toContain('limit')
    const stranger = createClient({ url: api.url, token: 'op_unknown' })
    expect(await errorOf(stranger.listSites())).toMatchObject({ code: 'invalid_token' })
  })

  it('say when the address is not that of the API', async () => {
    const docs = createClient({ url: `${api.url}/docs`, token: 'op_', retries: 0 })
    expect(await errorOf(docs.listSites())).toMatchObject({ code: 'unexpected_response' })
    const fetch = async () => new Response('<h1>Hello</h1>', { status: 404 })
    const other = createClient({ url: api.url, token: 'op_', fetch })
    expect(await errorOf(other.listSites())).toMatchObject({ code: 'unexpected_response' })
  })

  it.each(['<h1>Maintenance</h1>', '', 'null', '"text"'])(
    'say when a response of success is not one of the service: %s',
    async (text) => {
      const fetch = async () => new Response(text, { headers: { 'X-Request-Id': 'of-a-proxy' } })
      const other = createClient({ url: api.url, token: 'op_', fetch })
      const expected = { code: 'unexpected_response', status: 200, requestId: 'of-a-proxy' }
      expect(await errorOf(other.listSites())).toMatchObject(expected)
    },
  )

  it('say that a conditional read has no body', async () => {
    const fetch = async () => new Response(null, { status: 304 })
    const client = createClient({ url: api.url, token: 'op_', fetch })
    // @ts-expect-error: a read has no condition
    const read = client.listMenus({ site_id: 2 }, { headers: { 'If-None-Match': '"a"' } })
    const error = await errorOf(read)
    expect(error).toMatchObject({ code: 'unexpected_response', status: 304 })
    expect(error.message).toContain('If-None-Match')
  })

  it('do not follow a redirect', async () => {
    const fetch = async () =>
      new Response(null, { status: 301, headers: { Location: 'https://net.test/' } })
    const error = await errorOf(createClient({ url: api.url, token: 'op_', fetch }).listSites())
    expect(error.message).toContain('redirects to https://net.test/')
  })
})

describe('pages', () => {
  it('reads one after the other', async () => {
    for (const slug of ['paged-a', 'paged-b', 'paged-c']) await newFrame(slug)
    const slugs: string[] = []
    let pages = 0
    const input = { site_id: 2, kind: 'frame', limit: 2 } as const
    for await (const { entries } of alice.pages('listHistory', input)) {
      pages += 1
      slugs.push(...entries.map(({ name }) => name))
    }
    expect(pages).toBeGreaterThan(1)
    expect(slugs.slice(0, 3)).toEqual(['paged-c', 'paged-b', 'paged-a'])
  })
})

describe('sites', () => {
  it('are iterated by id', async () => {
    const ids: number[] = []
    for await (const { site_id } of admin.sites()) ids.push(site_id)
    expect(ids).toEqual([1, 2, 3, 4, 5, 7])
    const found: string[] = []
    for await (const { title } of admin.sites({ search: 'shop' })) found.push(title)
    expect(found).toEqual(['shop'])
  })

  it('are worked on at the same time, at most as many as asked', async () => {
    let [running, most] = [0, 0]
    const progress: string[] = []
    const results = await admin.forEachSite(
      async ({ site_id }) => {
        running += 1
        most = Math.max(most, running)
        const { total } = await admin.listFrames({ site_id })
        running -= 1
        return total
      },
      {
        concurrency: 2,
        where: ({ site_id }) => site_id > 1,
        onProgress: ({ finished, total }) => progress.push(`${finished}/${total}`),
      },
    )
    expect(most).toBe(2)
    expect(progress).toEqual(['1/3', '2/3', '3/3'])
    expect(results.map(({ site }) => site.site_id)).toEqual([2, 3, 4])
  })

  it('are worked on only if they are live, unless the caller asks for others', async () => {
    const statesOf = async (options?: ForEachSiteOptions) =>
      (await admin.forEachSite(async () => {}, options)).map(({ site }) => site.state)
    expect(new Set(await statesOf())).toEqual(new Set(['live']))
    expect(await statesOf({ states: ['archived', 'spam'] })).toEqual(['archived', 'spam'])
  })

  it('that fail do not stop the others', async () => {
    const done: number[] = []
    const work = async ({ site_id }: { site_id: number }) => {
      if (site_id === 2) await admin.getFrame({ site_id, ref: 'missing' })
      done.push(site_id)
    }
    const failed = admin.forEachSite(work, { concurrency: 1 })
    await expect(failed).rejects.toMatchObject({
      name: 'SitesError',
      failures: [{ site: { site_id: 2 }, error: { code: 'frame_not_found' } }],
    })
    expect(done).toEqual([1, 3, 4])
  })

  it('are not at fault when onProgress throws', async () => {
    const done: number[] = []
    const work = async ({ site_id }: { site_id: number }) => done.push(site_id)
    const onProgress = () => {
      throw new Error('mistake')
    }
    const call = admin.forEachSite(work, { concurrency: 1, onProgress })
    await expect(call).rejects.toThrow(/^mistake$/)
    expect(done).toEqual([1])
  })

  it.each([0, -1, Number.NaN])('are not skipped by the concurrency %d', async (concurrency) => {
    const call = admin.forEachSite(async () => {}, { concurrency })
    await expect(call).rejects.toThrow(RangeError)
  })

  it('are worked on all at once if the caller sets no limit', async () => {
    const results = await admin.forEachSite(async () => {}, {
      concurrency: Number.POSITIVE_INFINITY,
    })
    expect(results).toHaveLength(4)
  })

  it('are left when the caller aborts', async () => {
    const aborter = new AbortController()
    const done: number[] = []
    const work = async ({ site_id }: { site_id: number }) => {
      done.push(site_id)
      if (site_id === 2) aborter.abort(new Error('enough'))
    }
    const { signal } = aborter
    await expect(admin.forEachSite(work, { concurrency: 1, signal })).rejects.toThrow('enough')
    expect(done).toEqual([1, 2])
  })
})

describe('update', () => {
  it('reads again if another client was faster', async () => {
    const { id } = await newFrame('updated', '<p>0</p>')
    const ref = { site_id: 2, frame: 'updated' }
    let calls = 0
    const written = await alice.update(ref, async ({ html }) => {
      calls += 1
      if (calls === 1) await admin.replaceFrame({ site_id: 2, ref: id, body: { html: '<p>1</p>' } })
      return { html: `${html}<p>2</p>` }
    })
    expect(calls).toBe(2)
    expect(written?.frame.id).toBe(id)
    const { frame } = await alice.getFrame({ site_id: 2, ref: id })
    expect(frame.html).toBe('<p>1</p><p>2</p>')
  })

  it('loses nothing of concurrent updates', async () => {
    await newFrame('counted', '<i></i>')
    const ref = { site_id: 2, frame: 'counted' }
    const add = () => alice.update(ref, ({ html }) => ({ html: `${html}<i></i>` }))
    await Promise.all(Array.from({ length: 5 }, add))
    const { frame } = await alice.getFrame({ site_id: 2, ref: 'counted' })
    expect(frame.html).toBe('<i></i>'.repeat(6))
  })

  it('ends if others are always faster', async () => {
    const { id } = await newFrame('contested')
    let version = 0
    const update = alice.update(
      { site_id: 2, frame: id },
      async () => {
        version += 1
        const body = { html: `<p>${version}</p>` }
        await admin.replaceFrame({ site_id: 2, ref: id, body })
        return { html: '<i></i>' }
      },
      { rereads: 2 },
    )
    expect(await errorOf(update)).toMatchObject({ code: 'precondition_failed' })
    expect(version).toBe(3)
  })

  /** A client behind a proxy that changes the `ETag` of responses. */
  const behindProxy = async (changeEtag: (headers: Headers) => void) => {
    const send = async (request: Request) => {
      const received = await fetch(request)
      const headers = new Headers(received.headers)
      changeEtag(headers)
      return new Response(received.body, { status: received.status, headers })
    }
    return createClient({ url: api.url, token: await api.token('alice'), fetch: send })
  }

  it('works behind a proxy that compresses, and so makes each ETag a weak one', async () => {
    const { id } = await newFrame('behind-proxy')
    const client = await behindProxy((headers) => headers.set('ETag', `W/${headers.get('ETag')}`))
    const written = await client.update({ site_id: 2, frame: id }, () => ({ html: '<p>new</p>' }))
    expect(written && client.etagOf(written)).toMatch(/^"/)
  })

  it('writes nothing if the response has no ETag', async () => {
    const { id } = await newFrame('no-etag', '<p>old</p>')
    const client = await behindProxy((headers) => headers.delete('ETag'))
    const update = client.update({ site_id: 2, frame: id }, () => ({ html: '<p>new</p>' }))
    await expect(update).rejects.toThrow('no ETag')
    const { frame } = await alice.getFrame({ site_id: 2, ref: id })
    expect(frame.html).toBe('<p>old</p>')
  })

  it('writes nothing without a change', async () => {
    const { id } = await newFrame('kept')
    expect(await alice.update({ site_id: 2, frame: id }, () => undefined)).toBeUndefined()
  })

  it('replaces the items of a menu', async () => {
    const body = { name: 'Updated', items: [{ url: 'https://example.com/', title: 'One' }] }
    await alice.createMenu({ site_id: 2, body })
    const ref = { site_id: 2, menu: 'Updated' }
    let calls = 0
    await alice.update(ref, async ({ menu, items }) => {
      calls += 1
      if (calls === 1) {
        const item = { url: 'https://example.com/2', title: 'Two' }
        await admin.createMenuItem({ site_id: 2, ref: String(menu.id), body: item })
      }
      return { items: items.map(({ url, title }) => ({ url, title: `${title}!` })) }
    })
    const { items } = await alice.getMenu({ site_id: 2, ref: 'Updated' })
    expect(items.map(({ title }) => title)).toEqual(['One!', 'Two!'])
  })
})
