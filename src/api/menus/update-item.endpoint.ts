import { z } from 'zod'
import { AppError } from '../../errors.ts'
import { type ItemTree, joinedClasses, MAX_CLASSES, readTree } from '../../menus/item-tree.ts'
import { updateItem } from '../../menus/update-item.ts'
import { readWriteContext } from '../../menus/write-context.ts'
import { rawField } from '../coded-fields.ts'
import { defineEndpoint } from '../endpoint.ts'
import { EFFECTS, objectBody, siteId } from '../fields.ts'
import { ignoredScope, menuTarget, TARGET_ERRORS, versionAfter, writerOf } from './menu-call.ts'
import {
  clearableText,
  ItemParamsSchema,
  parentField,
  RARE,
  ScopeQuerySchema,
  scopeFields,
} from './menu-fields.ts'
import {
  ChangedItemSchema,
  MenuOfItemSchema,
  presentChangedItem,
  presentMenuOfItem,
} from './present-menu.ts'

const absentIfNull = (value: unknown): unknown => value ?? undefined

export const updateMenuItemEndpoint = defineEndpoint({
  name: 'updateMenuItem',
  isOfContract: true,
  ignores: ignoredScope,
  method: 'patch',
  path: '/menus/:ref/items/:id',
  summary: 'Change an item, or move it',
  description:
    'Absent fields do not change. A new `parent` moves the item with its descendants to the end of that level.',
  params: ItemParamsSchema,
  query: ScopeQuerySchema,
  body: objectBody({
    ...scopeFields,
    // `readTree` reports what is wrong with the link, as for items of a tree.
    page: rawField({
      type: ['string', 'integer'],
      description: 'Link this page instead: its id, slug or path.',
      examples: ['about-us/team'],
    }).transform(absentIfNull),
    url: rawField({
      type: 'string',
      description:
        'Link this address instead. `page` takes precedence, with the warning `url_ignored`.',
    }).transform(absentIfNull),
    title: clearableText(
      'Null or an empty text: the item shows the title of the linked object.',
      'Our team',
    ),
    target: clearableText('`_blank`, or empty.', '_blank'),
    classes: z.preprocess(
      joinedClasses,
      clearableText(`At most ${MAX_CLASSES}, separated by spaces.`, 'wide'),
    ),
    xfn: clearableText('Link relations, separated by spaces.', 'nofollow', RARE),
    attr_title: clearableText("The link's `title` attribute.", 'Who we are', RARE),
    description: clearableText('HTML.', 'Our people', RARE),
    parent: parentField,
  }),
  example: { title: 'Our team', parent: 0 },
  response: z.object({
    site_id: siteId,
    menu: MenuOfItemSchema,
    item: ChangedItemSchema,
    warnings: z.array(z.string()),
  }),
  errors: [
    'precondition_failed',
    'nothing_to_update',
    'item_target_required',
    'page_not_found',
    'ambiguous_page',
    'bad_items',
    'menu_items_invalid',
    'item_not_found',
    'bad_parent',
    ...TARGET_ERRORS,
    'internal_unavailable',
  ],
  effects: EFFECTS,
  async write(tx, call) {
    const { site, params, body, now } = call
    const { page, url, lang: _, theme: __, attr_title: attrTitle, ...others } = body
    const link = page === undefined && url === undefined ? undefined : readTree([{ page, url }])
    const update = { link, attrTitle, ...others }
    if (Object.values(update).every((value) => value === undefined)) {
      throw new AppError(
        'nothing_to_update',
        'The body contains no field to change. Send title, page, url, target, classes, xfn, attr_title, description or parent.',
      )
    }
    const context = readWriteContext(tx, site, writerOf(call), now)
    const written = await updateItem(tx, site, menuTarget(call), params.id, update, context)
    const { menu, before, after, change } = written
    return {
      body: {
        site_id: site.blogId,
        menu: presentMenuOfItem(menu),
        item: presentChangedItem(before, after),
        warnings: isUrlIgnored(link, url) ? ['url_ignored'] : [],
      },
      change,
      version: await versionAfter(tx, call, menu),
    }
  },
})

/** Whether a URL was sent besides the page that takes precedence. */
function isUrlIgnored(link: ItemTree | undefined, url: unknown): boolean {
  return link?.items[0]?.page !== undefined && url !== undefined && url !== ''
}
