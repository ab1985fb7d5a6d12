import fc from 'fast-check'
import { expect, it } from 'vitest'
import { encodePhp } from '#php-serialized'
import { formatMenuFile, menuContent, readMenuFile } from '../../../src/content/menus/menu-file.ts'
import { readPortableMenu } from '../../../src/content/menus/portable-menu.ts'
import { menuItemClasses, menuName } from '../../../src/wordpress/formatting/menu-texts.ts'
import { sanitizeUrl } from '../../../src/wordpress/formatting/sanitize-url.ts'
import { listMenus } from '../../../src/wordpress/nav-menus/nav-menu.ts'
import { readLinkSettings } from '../../../src/wordpress/permalinks/link-settings.ts'
import { hostileText } from '../../support/hostile-text.ts'
import { readMenu } from '../../support/read-menu.ts'
import { runsOf } from '../../support/runs-of.ts'
import { useTruth } from '../../wordpress/clone-truth.ts'
import { createPlannedSite, menu } from './planned-site.ts'

const network = await useTruth()
const site = await network.site(2)

const texts = fc.record({
  name: hostileText(),
  items: fc.array(
    fc.record({
      title: hostileText(),
      attr_title: hostileText(),
      description: hostileText(),
      classes: hostileText(),
      url: hostileText(),
    }),
    { maxLength: 6 },
  ),
})

it('a plan has no steps for a menu that equals its own export', async () => {
  const { db } = network
  const { posts, postmeta, terms } = site.tables
  const links = await readLinkSettings(db, site)
  const planned = createPlannedSite(network, site)
  await fc.assert(
    fc.asyncProperty(texts, async ({ name, items }) => {
      if (menuName(name) === '') return
      await planned.apply({
        menus: [
          menu(
            'own',
            items.map(() => ({ url: '/x' })),
          ),
        ],
      })
      const find = async () => (await listMenus(db, site)).find(({ slug }) => slug === 'own')
      const created = await find()
      if (!created) throw new Error('The menu was not created.')
      await db
        .sql(terms)
        .where({ term_id: created.id })
        .update({ name: menuName(name) })
      const ids = (await readMenu(db, site, links, created.id))?.items.map(({ id }) => id) ?? []
      for (const [index, id] of ids.entries()) {
        const { title = '', attr_title, description, classes = '', url = '' } = items[index] ?? {}
        await db
          .sql(posts)
          .where({ ID: id })
          .update({ post_title: title, post_excerpt: attr_title, post_content: description })
        const metas = {
          _menu_item_classes: encodePhp(menuItemClasses(classes)),
          _menu_item_url: sanitizeUrl(url),
        }
        for (const [meta_key, meta_value] of Object.entries(metas))
          await db.sql(postmeta).where({ post_id: id, meta_key }).update({ meta_value })
      }
      const portable = await readPortableMenu(db, site, links, (await find()) ?? created)
      const file = readMenuFile(formatMenuFile(menuContent(portable), 'yaml'))
      expect(file.problems).toEqual([])
      const wanted = menu('own', [], { name: file.name, tree: file.tree })
      const { steps, problems } = await planned.plan({ menus: [wanted] })
      expect([steps, problems]).toEqual([[], []])
    }),
    { numRuns: runsOf(40) },
  )
})
