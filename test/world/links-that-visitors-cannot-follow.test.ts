import { describe, expect, it } from 'vitest'
import { useMenusApi } from '../support/menus-api.ts'

/**
 * A menu view counted five broken links, and the check of the site one.
 * Right: WordPress 7.1, `wp_setup_nav_menu_item()` hides an item whose target is gone or in the trash, and prints links to drafts and private
 * pages, which answer 404. An attachment inherits its status (`get_post_status()`).
 */
describe('links that visitors cannot follow', async () => {
  const menus = await useMenusApi()
  const { sql } = menus.network.db
  const { posts, postmeta } = menus.site.tables
  const { menu, items } = await menus.makeMenu([7])
  const item: number = items[0].id
  const setPage = (row: object) => sql(posts).where({ ID: 7 }).update(row)
  const setMeta = (meta_key: string, meta_value: string | number) =>
    sql(postmeta).where({ post_id: item, meta_key }).update({ meta_value })
  const linkIn = async () => {
    const { body } = await menus.send('get', `/menus/${menu.id}?links=1`)
    return body.items[0].link as { problem: string | null; message: string | null }
  }
  const findings = async () => {
    const { body } = await (await menus.api.as('admin')).get('/site/2/findings')
    return body.findings.filter(({ message }: { message: string }) =>
      message.startsWith(`Item ${item} of menu`),
    )
  }

  it.each([
    [{ post_status: 'publish' }, null, ''],
    [{ post_status: 'draft' }, 'target_not_public', 'which has the status "draft"'],
    [{ post_status: 'pending' }, 'target_not_public', 'which has the status "pending"'],
    [{ post_status: 'future' }, 'target_not_public', 'which has the status "future"'],
    [{ post_status: 'private' }, 'target_not_public', 'which has the status "private"'],
    [{ post_password: 'secret' }, 'target_not_public', 'which has a password'],
    [{ post_status: 'trash' }, 'target_missing', 'which is in the trash'],
    [{ post_status: 'inherit', post_type: 'attachment' }, null, ''],
  ])('a page with %j', async (row, problem, state) => {
    await setPage(row)
    const link = await linkIn()
    expect(link.problem).toBe(problem)
    const message = problem && `links to page "About us" (7), ${state}.`
    expect(link.message).toBe(message && `The item ${message}`)
    expect(await findings()).toEqual(
      message
        ? [
            expect.objectContaining({
              check: `item_${problem}`,
              severity: 'warning',
              message: `Item ${item} of menu "Made 1" (${menu.id}) ${message}`,
            }),
          ]
        : [],
    )
    await setPage({ post_status: 'publish', post_password: '', post_type: 'page' })
  })

  it.each([
    ['post_type', 'page', 'target_missing'],
    ['taxonomy', 'category', 'target_missing'],
    ['custom', 'custom', null],
    ['post_type_archive', 'product', null],
  ])('an item of the type %s whose target does not exist', async (type, object, problem) => {
    await setMeta('_menu_item_type', type)
    await setMeta('_menu_item_object', object)
    await setMeta('_menu_item_object_id', 4711)
    expect((await linkIn()).problem).toBe(problem)
    expect(await findings()).toMatchObject(problem ? [{ check: `item_${problem}` }] : [])
  })

  it('an item that is a draft', async () => {
    await sql(posts).where({ ID: item }).update({ post_status: 'draft' })
    expect(await linkIn()).toMatchObject({
      problem: 'not_published',
      message: 'The item has the status "draft".',
    })
    expect(await findings()).toMatchObject([{ check: 'item_not_published', severity: 'info' }])
  })
})
