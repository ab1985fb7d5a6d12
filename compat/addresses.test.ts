import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CompatFixture, createCompatFixture } from './support/compat-fixture.ts'

let fixture: CompatFixture
let ids: readonly number[] = []

beforeAll(async () => {
  fixture = await createCompatFixture()
  ids = await fixture.wp<number[]>('make_pages', [
    { title: 'About' },
    { title: 'Über das Team', under: 0 },
    { title: 'Меню', under: 1 },
    { title: 'About' },
    { title: 'About', under: 1 },
    { title: 'Draft', status: 'draft' },
    { title: 'Below a draft', under: 5 },
    { title: 'Private', status: 'private' },
    { title: 'Start' },
    { title: 'News' },
    { title: '2024' },
    { title: '😀' },
  ])
  await fixture.done('post', '/frames', { slug: 'page', html: 'x' })
})
afterAll(() => fixture?.close())

type Call = readonly [string, readonly unknown[]]
const call = <T>(...calls: readonly Call[]) => fixture.wp<T[]>('calls', calls)

/** The address of each page, as the API reports it when a frame is assigned to it. */
async function addresses(): Promise<string[]> {
  const found: string[] = []
  for (const page of ids) {
    const { page: assigned } = await fixture.done<{ page: { url: string } }>(
      'post',
      '/frames/page/assign',
      {
        page,
        bake: false,
      },
    )
    found.push(assigned.url)
  }
  return found
}

/** The addresses for visitors: a user who may read a private page gets another one. */
const permalinks = () =>
  fixture.wp<string[]>(
    'calls',
    ids.map((id) => ['get_permalink', [id]]),
    { user: undefined },
  )

describe('addresses of pages are those of get_permalink', () => {
  it.each([
    '/%year%/%monthnum%/%day%/%postname%/',
    '/%postname%',
    '/index.php/%postname%/',
    '/archives/%post_id%',
    '',
  ])('with the permalink structure "%s"', async (structure) => {
    await call(['update_option', ['permalink_structure', structure]])
    expect(await addresses()).toEqual(await permalinks())
  })

  it('with a static front page and a page for posts', async () => {
    await call(
      ['update_option', ['permalink_structure', '/%postname%/']],
      ['update_option', ['show_on_front', 'page']],
      ['update_option', ['page_on_front', ids[8]]],
      ['update_option', ['page_for_posts', ids[9]]],
    )
    const found = await addresses()
    expect(found).toEqual(await permalinks())
    expect(found[8]).toBe(`${fixture.home}/`)
  })

  it('after the site has moved to another host', async () => {
    await call(
      ['update_option', ['home', 'https://moved.test:8443/a/b']],
      ['update_option', ['siteurl', 'https://moved.test:8443/a/b']],
    )
    expect(await addresses()).toEqual(await permalinks())
  })
})

it('resolves a path to the same page as WordPress', async () => {
  const uris = await call<string>(...ids.map((id): Call => ['get_page_uri', [id]]))
  // WordPress finds no page below a draft, which has no slug; the API interprets this path as a slug.
  const paths = uris.filter((path) => path !== '' && path !== 'below-a-draft')
  expect(paths).toHaveLength(10)
  for (const path of [
    ...paths,
    'about/',
    '/about',
    'ABOUT',
    'about/%C3%BCber-das-team',
    'no/such',
  ]) {
    const [theirs] = await call<{ ID: number } | null>(['get_page_by_path', [path]])
    const { status, body } = await fixture.send<{ page?: { id: number } }>(
      'post',
      '/frames/page/assign',
      {
        page: path,
        bake: false,
      },
    )
    expect([path, status, body.page?.id]).toEqual([path, theirs ? 200 : 404, theirs?.ID])
  }
})
