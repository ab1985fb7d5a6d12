import { AppError } from '../../errors.ts'
import { readAuthorship } from '../../menus/authorship.ts'
import { readTree } from '../../menus/tree.ts'
import { updateItem } from '../../menus/update-item.ts'
import type { MenuItem } from '../../wordpress/nav-menus/menu-item.ts'
import { defineEndpoint } from '../endpoint.ts'
import {
  bodyOf,
  clearableText,
  itemId,
  ScopeQuerySchema,
  scopeFields,
  sent,
} from './menu-fields.ts'
import { itemIdOf, menuTarget } from './menu-target.ts'
import { presentItem, presentMenu } from './present-menu.ts'
import { writeMenu } from './write-menu.ts'

/** Contract, section 4.2.8. */
export const patchMenuItem = defineEndpoint({
  method: 'patch',
  path: '/menus/:ref/items/:id',
  summary: 'Change an item, or move it',
  query: ScopeQuerySchema,
  body: bodyOf({
    ...scopeFields,
    page: sent,
    url: sent,
    title: clearableText,
    target: clearableText,
    classes: clearableText,
    parent: itemId,
  }),
  async handle(call) {
    const { db, executor, site, caller, params, body, now } = call
    const { page, url, title, target, classes, parent } = body
    const link = page ?? url
    const update = {
      ...(link === undefined ? {} : { link: readTree([{ page, url }]) }),
      ...(title === undefined ? {} : { title }),
      ...(target === undefined ? {} : { target }),
      ...(classes === undefined ? {} : { classes }),
      ...(parent === undefined ? {} : { parent }),
    }
    if (Object.keys(update).length === 0) {
      throw new AppError(
        'nothing_to_update',
        'The body names nothing to change. Send title, page, url, target, classes or parent.',
      )
    }
    const authorship = await readAuthorship(db, site, caller.user, now)
    const { menu, before, after, change } = await writeMenu(call, (tx) =>
      updateItem(tx, site, menuTarget(call), itemIdOf(params), update, authorship),
    )
    const { rebaked } = await executor.apply(site, change)
    const { id, name } = presentMenu(menu)
    return {
      success: true,
      site_id: site.blogId,
      menu: { id, name },
      item: { id: after.id, ...changedFields(fieldsOf(before), fieldsOf(after)) },
      warnings: page !== undefined && url !== undefined ? ['url_ignored'] : [],
      rebaked,
    }
  },
})

/** What a caller sees of an item, as plain values. */
function fieldsOf(item: MenuItem): Record<string, unknown> {
  const { id: _, ...fields } = presentItem(item)
  return { ...fields, target: item.target, classes: item.classes.join(' ') }
}

/** Every field as it is now; one that changed as what it was and what it is. */
function changedFields(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(after).map(([field, to]) => {
      const from = before[field]
      return [field, from === to ? to : { from, to }]
    }),
  )
}
