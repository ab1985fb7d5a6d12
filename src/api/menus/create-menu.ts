import { readAuthorship } from '../../menus/authorship.ts'
import { createMenu } from '../../menus/create-menu.ts'
import { readMenuName } from '../../menus/menu-names.ts'
import { assertLanguage } from '../../menus/place.ts'
import { readPlace } from '../../menus/read-place.ts'
import { defineEndpoint } from '../endpoint.ts'
import { flag } from '../flag.ts'
import { anything, bodyOf, scopeFields, slug } from './menu-fields.ts'
import { presentItem, presentMenu } from './present-menu.ts'
import { itemsOf } from './sent-items.ts'
import { writeMenu } from './write-menu.ts'

/** Contract, section 4.2.2. */
export const postMenu = defineEndpoint({
  method: 'post',
  path: '/menus',
  summary: 'Make a menu',
  body: bodyOf({
    ...scopeFields,
    name: anything,
    slug,
    location: anything,
    items: anything,
    allow_invalid: flag(false),
  }),
  async handle(call) {
    const { db, executor, site, caller, body, now } = call
    const name = readMenuName(body.name)
    const tree = itemsOf(body.items ?? [])
    const authorship = await readAuthorship(db, site, caller.user, now)
    const { languages } = authorship.links
    if (body.lang !== undefined) assertLanguage(languages, body.lang)
    const place =
      body.location === undefined ? undefined : await readPlace(db, site, languages, body)
    const made = await writeMenu(call, (tx) =>
      createMenu(
        tx,
        site,
        { name, slug: body.slug, place, tree, allowInvalid: body.allow_invalid },
        authorship,
      ),
    )
    const { rebaked } = await executor.apply(site, made.change)
    return {
      success: true,
      site_id: site.blogId,
      theme: body.theme ?? null,
      menu: { ...presentMenu(made.menu), items: made.items.length },
      items: made.items.map((item) => ({ ...presentItem(item), at: item.at })),
      invalid: made.invalid,
      warnings: made.warnings,
      rebaked,
    }
  },
})
