import { z } from 'zod'
import { readTree } from '../../menus/item-tree.ts'
import { assertLanguage, readAssignment } from '../../menus/locations.ts'
import { readWriteContext } from '../../menus/write-context.ts'
import { createMenu } from '../../menus/write-menu.ts'
import { defineEndpoint } from '../endpoint.ts'
import { EFFECTS, objectBody, siteId } from '../fields.ts'
import { pick } from '../pick.ts'
import { MAX_LARGE_BODY_BYTES } from '../request-body.ts'
import { ignoredOfItems, versionAfter, writerOf } from './menu-call.ts'
import {
  allowInvalidField,
  blankAsAbsent,
  itemsField,
  locationField,
  nameField,
  scopeFields,
  slugField,
} from './menu-fields.ts'
import {
  InvalidItemSchema,
  MenuNamesSchema,
  presentMenu,
  WrittenItemSchema,
} from './present-menu.ts'

export const createMenuEndpoint = defineEndpoint({
  name: 'createMenu',
  isOfContract: true,
  ignores: ({ body }) => ignoredOfItems(Object(body).items),
  method: 'post',
  path: '/menus',
  summary: 'Create a menu',
  body: objectBody(
    {
      ...scopeFields,
      name: nameField,
      slug: slugField,
      location: locationField,
      items: blankAsAbsent(itemsField.optional()),
      allow_invalid: allowInvalidField,
    },
    'name',
  ),
  maxBodyBytes: MAX_LARGE_BODY_BYTES,
  example: {
    name: 'Products',
    location: 'footer_3',
    items: [
      { page: 'about-us', children: ['about-us/team'] },
      { url: '/', title: 'Top' },
    ],
  },
  response: z.object({
    site_id: siteId,
    theme: z.string().nullable().describe('The `theme` of the request; null if there was none.'),
    menu: MenuNamesSchema.extend({ items: z.int().describe('Number of items.') }),
    items: z.array(WrittenItemSchema),
    invalid: z.array(InvalidItemSchema).describe('Items that were left out.'),
    warnings: z.array(z.string()).meta({ examples: [['slug_changed']] }),
  }),
  errors: [
    'precondition_failed',
    'menu_name_required',
    'bad_items',
    'menu_items_unresolved',
    'menu_items_invalid',
    'unknown_location',
    'unknown_language',
    'polylang_inactive',
    'menu_assignment_not_stored',
    'internal_unavailable',
  ],
  effects: EFFECTS,
  async prepare(call) {
    const { db, site, body, now } = call
    const { name, slug, items = [] } = body
    const context = await readWriteContext(db, site, writerOf(call), now)
    const { languages } = context.links
    if (body.lang !== undefined) assertLanguage(languages, body.lang)
    const assignment =
      body.location === undefined ? undefined : await readAssignment(db, site, languages, body)
    return { menu: { name, slug, assignment, tree: readTree(items) }, context }
  },
  async write(tx, call, { menu: wanted, context }) {
    const { site, body, precondition } = call
    const { allow_invalid: allowInvalid, theme = null } = body
    const write = { ...wanted, allowInvalid, precondition }
    const { menu, items, invalid, warnings, change } = await createMenu(tx, site, write, context)
    return {
      body: {
        site_id: site.blogId,
        theme,
        menu: { ...presentMenu(menu), items: items.length },
        items: items.map((item) => pick(WrittenItemSchema, item)),
        invalid,
        warnings,
      },
      change,
      version: await versionAfter(tx, call, menu),
    }
  },
})
