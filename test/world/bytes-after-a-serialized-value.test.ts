import { describe, expect, it } from 'vitest'
import { readOption } from '../../src/wordpress/options/read-options.ts'
import { useApi } from '../support/api.ts'
import { setOption } from '../support/network.ts'

/**
 * An import left bytes before or after the serialized value of an option or a description.
 * Right: WordPress 7.1, `maybe_unserialize()`: it trims the text, and PHP's `unserialize()` ignores what follows the value. `is_serialized()`
 * looks at the last byte only: with another one than `;` or `}` the value is a text.
 */
describe('bytes after a serialized value', async () => {
  const { network, api } = await useApi()
  const alice = await api.as('alice')
  const admin = await api.as('admin')
  const optionOf = async (blogId: number, name: string) =>
    (await readOption(network.db, await network.site(blogId), name)) ?? ''
  const assignedMenu = async (blogId: number, location: string, lang = '') => {
    const { body } = await admin.get(`/site/${blogId}/data/menu.${location}?lang=${lang}`)
    return body.menu?.slug
  }
  /** The text while the option has it; then the option has its former text again. */
  const withOption = async <T>(
    blogId: number,
    name: string,
    change: (text: string) => string,
    read: () => Promise<T>,
  ): Promise<T> => {
    const before = await optionOf(blogId, name)
    await setOption(network, blogId, name, change(before))
    try {
      return await read()
    } finally {
      await setOption(network, blogId, name, before)
    }
  }

  const IGNORED = ['}', ';', 'x}', 'x;', '}}', '  }', '\n', ' \r\n', '\0']

  it.each(IGNORED)('a theme has its menus with %j after its options', async (rest) => {
    const read = () => assignedMenu(3, 'header')
    expect(await withOption(3, 'theme_mods_opal', (text) => text + rest, read)).toBe('docs')
    expect(await withOption(3, 'theme_mods_opal', (text) => ` \n${text}${rest}`, read)).toBe('docs')
  })

  it.each(IGNORED)("Polylang's menus are shown with %j after its option", async (rest) => {
    const read = () => assignedMenu(2, 'header', 'de')
    expect(await withOption(2, 'polylang', (text) => text + rest, read)).toBe('hauptmenu')
  })

  it.each(IGNORED)('Polylang is active with %j after the list of plugins', async (rest) => {
    const read = async () => (await alice.get('/site/2/data/languages')).body
    const before = await read()
    expect(before.total).toBe(4)
    expect(await withOption(2, 'active_plugins', (text) => text + rest, read)).toEqual(before)
  })

  it.each(IGNORED)('a dataset is read with %j after it', async (rest) => {
    await setOption(network, 2, 'svc_data_rest', `a:1:{i:0;s:3:"one";}${rest}`)
    expect((await alice.get('/site/2/data/dataset.rest')).body.items).toEqual(['one'])
  })

  it.each(IGNORED)('a frame is read with %j after its record', async (rest) => {
    const created = await alice
      .post('/site/2/frames')
      .send({ slug: `rest-${IGNORED.indexOf(rest)}`, html: '<p>kept</p>' })
    const name = `svc_frame_${created.body.frame.id}`
    await setOption(network, 2, name, (await optionOf(2, name)) + rest)
    const { body } = await alice.get(`/site/2/frames/${created.body.frame.slug}`)
    expect(body.frame.html).toBe('<p>kept</p>')
  })

  it('a language and translations are read with a rest after their descriptions', async () => {
    const { db } = network
    const { tables } = await network.site(2)
    const read = async () => [
      (await alice.get('/site/2/data/languages')).body,
      (await alice.get('/site/2/pages?lang=de')).body.pages,
    ]
    const before = await read()
    await db
      .sql(tables.termTaxonomy)
      .whereIn('taxonomy', ['language', 'post_translations'])
      .update({ description: db.sql.raw("CONCAT(description, '}')") })
    expect(await read()).toEqual(before)
  })

  it.each(IGNORED)('a write stores the value alone after %j', async (rest) => {
    const before = await optionOf(3, 'theme_mods_opal')
    await setOption(network, 3, 'theme_mods_opal', before + rest)
    const { status } = await admin.put('/site/3/menus/docs/location').send({ location: 'header' })
    expect(status).toBe(200)
    expect(await optionOf(3, 'theme_mods_opal')).toBe(before)
    await admin.put('/site/3/menus/docs/location').send({ location: 'footer_1' })
    expect(await optionOf(3, 'theme_mods_opal')).toBe(
      before.replace('s:8:"footer_1";i:5;', 's:8:"footer_1";i:4;'),
    )
    await setOption(network, 3, 'theme_mods_opal', before)
  })

  it.each(['x', 'N', '}x'])('%j as the last byte makes the options a text', async (rest) => {
    const before = await optionOf(3, 'theme_mods_opal')
    const [answer, menu, stored] = await withOption(
      3,
      'theme_mods_opal',
      (text) => text + rest,
      async () => [
        await admin.put('/site/3/menus/docs/location').send({ location: 'header' }),
        await assignedMenu(3, 'header'),
        await optionOf(3, 'theme_mods_opal'),
      ],
    )
    expect(menu).toBeUndefined()
    expect(answer.body).toMatchObject({ error: 'menu_assignment_not_stored' })
    expect(answer.body.message).toContain('as the last character, expected ; or }')
    expect(stored).toBe(before + rest)
  })
})
