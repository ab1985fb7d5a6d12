import { describe, expect, it } from 'vitest'
import { checksumsOf } from '../support/checksums.ts'
import { useMenusApi } from '../support/menus-api.ts'

/**
 * What the endpoints of frames, menus and what pages show refuse, and that they write nothing then. The fields of a refusal that lists candidates, locations,
 * languages or problems are tested once, at the endpoint of which they are most: `frames/write-frame`, `menus/replace-items`,
 * `menus/assign-location`.
 */

const api = await useMenusApi()
const { network, site, send } = api
const html = '<p>x</p>'
for (const slug of ['one', 'taken']) await send('post', '/frames', { slug, html, bake: false })
const { menu, items } = await api.makeMenu([3, { page: 7, children: [10] }])
const ITEMS = `/menus/${menu.id}/items`
const [HOME] = items.map(({ id }: { id: number }) => id)
/** An item of another menu. */
const FOREIGN = 24
const DRAFT = 19
const TRASHED = 23

type Refusal = readonly [request: string, body: object | string | undefined, answer: string]

const FRAMES: readonly Refusal[] = [
  ...[undefined, null, 5, ['<p>'], { a: 1 }].map(
    (sent): Refusal => ['post /frames', { slug: 'new', html: sent }, '400 frame_html_required'],
  ),
  ['post /frames', { slug: 'new', html: '' }, '400 frame_html_required'],
  ['post /frames', { slug: 'new', markup: '' }, '400 frame_html_required'],
  ['post /frames', { slug: 'new', html: '', dry_run: true }, '400 frame_html_required'],
  ['put /frames/one', { html: '', markup: '', content: '' }, '400 frame_html_required'],
  ['post /frames', { slug: 'new', html, url: '/x' }, '400 frame_url_not_supported'],
  ['get /frames/nothing', undefined, '404 frame_not_found'],
  ['get /frames/0123456789abcdef', undefined, '404 frame_not_found'],
  ['get /frames/a b', undefined, '404 frame_not_found'],
  ['get /frames/%F0%9F%98%80', undefined, '404 frame_not_found'],
  ['get /frames/%20', undefined, '400 frame_ref_required'],
  ['post /frames', { slug: 'new', html: 'a\ud800b' }, '400 frame_charset_unsupported'],
  ['put /frames/nothing', { html }, '404 frame_not_found'],
  ['put /frames/one', {}, '400 frame_html_required'],
  ['put /frames/one', { html, url: '/' }, '400 frame_url_not_supported'],
  ['put /frames/one', { html, slug: 'A B' }, '400 invalid_slug'],
  ['put /frames/one', { html, slug: 'taken' }, '409 slug_taken'],
  ['patch /frames/nothing', { slug: 'x' }, '404 frame_not_found'],
  ['patch /frames/one', {}, '400 nothing_to_update'],
  ['patch /frames/one', { name: 'x' }, '400 nothing_to_update'],
  ['patch /frames/one', { default: true }, '410 gone'],
  ['patch /frames/one', { is_default: false }, '410 gone'],
  ['patch /frames/one', { slug: 'a b' }, '400 invalid_slug'],
  ['patch /frames/one', { slug: 'taken' }, '409 slug_taken'],
  ['patch /frames/one', { slug: 'fine', url: '/x' }, '400 frame_url_not_supported'],
  ['delete /frames/nothing', undefined, '404 frame_not_found'],
  ['post /frames/nothing/assign', { page: 7 }, '404 frame_not_found'],
  ['post /frames/one/assign', {}, '400 page_required'],
  ['post /frames/one/assign', { page: '' }, '400 page_required'],
  ['post /frames/one/assign', { page: { id: 7 } }, '400 page_required'],
  ['post /frames/one/assign', { page: 'nowhere' }, '404 page_not_found'],
  ['post /frames/one/assign', { page: 999_999 }, '404 page_not_found'],
  ['post /frames/one/assign', { page: 'overview' }, '409 ambiguous_page'],
  ['post /frames/rebake', {}, '400 nothing_to_rebake'],
  ['post /frames/rebake', { menus: false }, '400 nothing_to_rebake'],
  ['post /frames/rebake', { datasets: [] }, '400 nothing_to_rebake'],
]

const MENUS: readonly Refusal[] = [
  ...[undefined, null, '', '  ', '<b></b>', {}, true].map(
    (name): Refusal => ['post /menus', { name }, '400 menu_name_required'],
  ),
  ['post /menus', { name: 'n'.repeat(201) }, '400 rest_invalid_param'],
  ['post /menus', { name: `${'<b></b>'.repeat(10_000)}Short` }, '400 rest_invalid_param'],
  ['post /menus', { name: 'X', slug: '<b></b>'.repeat(10_000) }, '400 rest_invalid_param'],
  ['post /menus', { name: 'Bad', items: {} }, '400 bad_items'],
  ['post /menus', { name: 'Bad', items: [{}] }, '400 bad_items'],
  ['post /menus', { name: 'Bad', items: ['nowhere'] }, '409 menu_items_unresolved'],
  ['post /menus', { name: 'Bad', items: [{ page: DRAFT }] }, '409 menu_items_invalid'],
  ['post /menus', { name: 'Bad', location: 'sidebar' }, '400 unknown_location'],
  ['post /menus', { name: 'Bad', location: 7 }, '400 unknown_location'],
  ['post /menus', { name: 'Bad', location: 'header', lang: 'xx' }, '400 unknown_language'],
  ['post /menus', { name: 'Bad', lang: 'xx' }, '400 unknown_language'],
  ['patch /menus/nope', { name: 'x' }, '404 menu_not_found'],
  ...[undefined, {}, { name: null }, { slug: '' }, { items: [] }].map(
    (body): Refusal => [`patch /menus/${menu.id}`, body, '400 nothing_to_update'],
  ),
  ['put /menus/nope/location', { location: 'header' }, '404 menu_not_found'],
  ...[undefined, null, ''].map(
    (location): Refusal => ['put /menus/26/location', { location }, '400 location_required'],
  ),
]

const MENU_ITEMS: readonly Refusal[] = [
  ...[undefined, null, {}, 'about', 7].map(
    (sent): Refusal => [`put ${ITEMS}`, { items: sent }, '400 bad_items'],
  ),
  [`put ${ITEMS}`, { items: [3], keep: true, allow_invalid: true }, '400 rest_invalid_param'],
  ['put /menus/nope/items', { items: [3] }, '404 menu_not_found'],
  ['put /menus/~footer_3/items', { items: [3] }, '404 menu_not_assigned'],
  ...[
    undefined,
    {},
    { item: {} },
    { item: null },
    { item: [] },
    { title: 'X' },
    { url: '' },
    { url: 'javascript:alert(1)' },
    { url: 'http://' },
    { page: true },
  ].map((body): Refusal => [`post ${ITEMS}`, body, '400 item_target_required']),
  [`post ${ITEMS}`, { page: 'nowhere' }, '404 page_not_found'],
  [`post ${ITEMS}`, { page: 'overview' }, '409 ambiguous_page'],
  [`post ${ITEMS}`, { page: DRAFT }, '409 menu_items_invalid'],
  [`post ${ITEMS}`, { page: 3, children: [DRAFT] }, '409 menu_items_invalid'],
  [`post ${ITEMS}`, { page: 3, parent: 9999 }, '404 item_not_found'],
  [`post ${ITEMS}`, { page: 3, parent: FOREIGN }, '404 item_not_found'],
  [`post ${ITEMS}`, { page: 3, parent: 'top' }, '400 rest_invalid_param'],
  ['post /menus/nope/items', { page: 3 }, '404 menu_not_found'],
  ['post /menus/~footer_3/items', { page: 3 }, '404 menu_not_assigned'],
  ...[undefined, {}, { page: null }, { colour: 'red' }].map(
    (body): Refusal => [`patch ${ITEMS}/${HOME}`, body, '400 nothing_to_update'],
  ),
  ...[9999, FOREIGN, 'first'].map(
    (id): Refusal => [`patch ${ITEMS}/${id}`, { title: 'x' }, '404 item_not_found'],
  ),
  [`patch ${ITEMS}/${HOME}`, { parent: FOREIGN }, '404 item_not_found'],
  [`patch ${ITEMS}/${HOME}`, { page: 'nowhere' }, '404 page_not_found'],
  [`patch ${ITEMS}/${HOME}`, { page: 'overview' }, '409 ambiguous_page'],
  [`patch ${ITEMS}/${HOME}`, { page: DRAFT }, '409 menu_items_invalid'],
  [`patch ${ITEMS}/${HOME}`, { url: 'javascript:x' }, '400 item_target_required'],
  [`patch ${ITEMS}/${HOME}`, { url: '' }, '400 item_target_required'],
  ...[{}, [], 'x'.repeat(65_536), '\ud800'].map(
    (title): Refusal => [`patch ${ITEMS}/${HOME}`, { title }, '400 rest_invalid_param'],
  ),
  ...['9999', FOREIGN, '0', '-1', '1e3', 'first', '99999999999999999999'].map(
    (id): Refusal => [`delete ${ITEMS}/${id}`, undefined, '404 item_not_found'],
  ),
  ['delete /menus/nope/items/24', undefined, '404 menu_not_found'],
  ['delete /menus/~footer_2/items/1?lang=fr', undefined, '404 menu_not_assigned'],
  ...['xx', { toString: 1 }].map(
    (lang): Refusal => ['delete /menus/~header/items/1', { lang }, '400 unknown_language'],
  ),
  ['delete /menus/~header/items/1?lang=xx', undefined, '400 unknown_language'],
  [`post /menus/${menu.id}/reorder`, { order: [HOME, 9999] }, '404 item_not_found'],
  [`post /menus/${menu.id}/reorder`, { order: [HOME], parent: 9999 }, '404 item_not_found'],
  [`post /menus/${menu.id}/reorder`, { order: [FOREIGN] }, '404 item_not_found'],
  ['post /menus/nope/reorder', { order: [1] }, '404 menu_not_found'],
]

const SHOWN: readonly Refusal[] = [
  ['get /menus/26/targets?lang=xx', undefined, '400 unknown_language'],
  ['get /data/menu.nowhere', undefined, '400 unknown_location'],
  ['get /data/menu.header?lang=xx', undefined, '400 unknown_language'],
  ['get /pages?frame=none', undefined, '404 frame_not_found'],
  ['get /pages?lang=xx', undefined, '400 unknown_language'],
  ['get /pages?below=nowhere', undefined, '404 page_not_found'],
  ['post /preview', { page: null }, '400 page_required'],
  ['post /preview', { page: 'nowhere' }, '404 page_not_found'],
  ['post /preview', { page: TRASHED }, '404 page_not_found'],
  // It has no German translation.
  ['post /preview', { page: DRAFT, lang: 'de' }, '404 page_not_found'],
  ['post /preview', { page: 7, lang: 'xx' }, '400 unknown_language'],
  ['post /preview', { page: 7, lang: { toString: 1 } }, '400 unknown_language'],
  ['post /preview', { page: 3 }, '409 page_has_no_frame'],
]

const checksums = () => checksumsOf(network, Object.values(site.tables))

describe.each([
  ['frames', FRAMES],
  ['menus', MENUS],
  ['items of menus', MENU_ITEMS],
  ['what pages show', SHOWN],
])('requests for %s', (_things, refusals) => {
  it('are refused, and write nothing', async () => {
    const before = await checksums()
    const asked = refusals.map(async ([request, sent]): Promise<Refusal> => {
      const [, method, path] = /^(\w+) (.*)$/.exec(request) ?? []
      const { status, body } = await send(method as 'get', `${path}`, sent)
      return [request, sent, `${status} ${body.error ?? body.code}`]
    })
    const answers = await Promise.all(asked)
    expect(answers).toEqual(refusals)
    expect(await checksums()).toEqual(before)
  })
})

it('a language on a site without Polylang is refused', async () => {
  const bob = api.as('bob')
  const answers = [
    await bob('post', '/site/3/menus', { name: 'Bad', location: 'header', lang: 'en' }),
    await bob('put', '/site/3/menus/5/location', { location: 'header', lang: 'en' }),
    await bob('get', '/site/3/data/menu.header?lang=en'),
  ]
  expect(answers.map(({ status, body }) => `${status} ${body.error}`)).toEqual(
    Array(3).fill('409 polylang_inactive'),
  )
})
