import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CompatFixture, createCompatFixture } from './support/compat-fixture.ts'
import { type Asked, GIF, type TwoEndpoints, twoEndpoints } from './support/two-endpoints.ts'

let fixture: CompatFixture
let endpoints: TwoEndpoints
let site = ''
beforeAll(async () => {
  fixture = await createCompatFixture()
  endpoints = await twoEndpoints(fixture)
  site = `/site/${fixture.site.blogId}`
})
afterAll(() => fixture?.close())

/** Asks the old endpoint, which must succeed. */
async function done<T>(path: string, asked?: Asked): Promise<T> {
  const { status, text, body } = await endpoints.ask('old', `${site}${path}`, asked)
  expect([path, status, text]).toEqual([path, 200, expect.stringContaining('"success":true')])
  return body as T
}

it('creates, changes and reads pages', async () => {
  type One = { created: boolean; page: { id: number; content: string } }
  const body = { title: 'A \\ “page”', content: '<p>\\n</p>', status: 'publish' }
  const created = await done<One>('/pages', { method: 'POST', body })
  expect(created).toMatchObject({
    created: true,
    page: {
      title: body.title,
      slug: 'a-page',
      status: 'publish',
      link: `${fixture.home}/a-page/`,
      content: body.content,
    },
  })
  const { id } = created.page
  const update = { method: 'PUT', body: { title: 'B', status: 'draft' } }
  expect(await done(`/pages/${id}`, update)).toMatchObject({
    created: false,
    page: { id, title: 'B', status: 'draft', content: body.content },
  })
  const read = await done<One>(`/pages/${id}`)
  expect(read.page).toMatchObject({ id, title: 'B', content: body.content })
  const { content: _, ...listed } = read.page
  expect((await done<{ items: object[] }>('/pages')).items).toContainEqual(listed)
  const missing = await endpoints.ask('old', `${site}/pages`, { method: 'POST', body: {} })
  expect([missing.status, missing.body]).toEqual([
    400,
    expect.objectContaining({ success: false, error: 'title_required' }),
  ])
})

it('answers GET /pages in another form than wp-frames', async () => {
  const answers = await endpoints.both(`${site}/pages`)
  expect(Object.keys(answers.new.body as object)).toContain('pages')
  expect(Object.keys(answers.old.body as object)).not.toContain('pages')
})

it('stores files and returns their bytes', async () => {
  type Stored = { media: { id: number; bytes: number; mime_type: string } }
  const form = new FormData()
  form.set('file', new Blob([GIF], { type: 'image/gif' }), 'form.gif')
  const headers = {
    'Content-Type': 'image/gif',
    'Content-Disposition': 'attachment; filename="raw.gif"',
  }
  const uploads: Asked[] = [
    { method: 'POST', body: form },
    { method: 'POST', body: GIF, headers },
  ]
  const ids: number[] = []
  for (const asked of uploads) {
    const { media } = await done<Stored>('/media', asked)
    expect(media).toMatchObject({ bytes: GIF.length, mime_type: 'image/gif' })
    ids.push(media.id)
    const bytes = await endpoints.ask('old', `${site}/media/${media.id}/bytes`)
    expect([bytes.status, bytes.headers.get('content-type'), bytes.text]).toEqual([
      200,
      'image/gif',
      GIF,
    ])
    expect((await done<Stored>(`/media/${media.id}`)).media).toEqual(media)
    const list = await done<{ items: object[] }>('/media')
    expect(list.items).toContainEqual(media)
  }
  await fixture.wp(
    'calls',
    ids.map((id) => ['wp_delete_attachment', [id, true]]),
  )
  expect((await endpoints.ask('old', `${site}/media/${ids[0]}`)).body).toMatchObject({
    success: false,
    error: 'media_not_found',
  })
  const empty = await endpoints.ask('old', `${site}/media`, { method: 'POST', headers })
  expect(empty.body).toMatchObject({ success: false, error: 'media_required' })
})
