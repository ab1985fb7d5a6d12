import { z } from 'zod'
import { errorOf } from '../../errors.ts'
import { contentOfItem } from '../../menus/menu-history.ts'
import { findTarget, type MenuTarget, menuDeleted, versionOfMenu } from '../../menus/menu-target.ts'
import { contentPruned } from '../../restore/choose-targets.ts'
import { findThingAt, readState } from '../../restore/thing-at.ts'
import { readableMenuName } from '../../wordpress/formatting/menu-texts.ts'
import { findMenus, locationIn } from '../../wordpress/nav-menus/find-menu.ts'
import type { Menu } from '../../wordpress/nav-menus/nav-menu.ts'
import { readStoredMenu } from '../../wordpress/nav-menus/read-menu.ts'
import { readLinkSettings } from '../../wordpress/permalinks/link-settings.ts'
import { type Call, defineEndpoint, type ResponseOf, type SetEtag } from '../endpoint.ts'
import { flag, siteId } from '../fields.ts'
import {
  atField,
  EntrySchema,
  presentEntry,
  presentItems,
  presentItemsOf,
  StoredItemSchema,
} from '../history/entry-schema.ts'
import { ItemLinkSchema, readItemLinks } from './item-links.ts'
import { menuTarget, type ScopeFields, TARGET_ERRORS } from './menu-call.ts'
import { MenuParamsSchema, scopeFields } from './menu-fields.ts'
import { MenuNamesSchema, presentMenu } from './present-menu.ts'

const MenuStateSchema = z.object({
  site_id: siteId,
  menu: MenuNamesSchema,
  items: z
    .array(StoredItemSchema.extend({ link: ItemLinkSchema.optional().describe('With `links`.') }))
    .describe('All items, in order.'),
  entry: EntrySchema.nullable().describe(
    'With `at`: the entry with this state; null if the menu has not been written since the history began.',
  ),
})

/** Reads a menu as it is stored, now or at a moment. The sources of data return items as visitors see them. */
export const getMenuEndpoint = defineEndpoint({
  name: 'getMenu',
  method: 'get',
  path: '/menus/:ref',
  summary: 'Read one menu with its items as they are stored, now or at a former time',
  description: 'With `at`, a location names the menu that is assigned there now.',
  // A model needs the titles of what items link.
  mcpQuery: { links: 'true' },
  params: MenuParamsSchema,
  query: z.object({
    ...scopeFields,
    at: atField,
    links: flag(
      false,
      'Include where each item leads now, and what is wrong with it. Not with `at`.',
    ),
  }),
  response: MenuStateSchema,
  errors: [...TARGET_ERRORS, 'entry_not_found'],
  async read(call) {
    const { query } = call
    return query.at
      ? readFormerMenu(call, query.at)
      : readCurrentMenu(call, menuTarget(call), query.links)
  },
})

type MenuReadCall = SetEtag &
  Pick<
    Call<{ readonly ref: string }, ScopeFields, unknown>,
    'db' | 'site' | 'params' | 'query' | 'precondition'
  >

async function readCurrentMenu(
  { db, site, setEtag }: MenuReadCall,
  target: MenuTarget,
  withLinks = false,
): Promise<ResponseOf<typeof MenuStateSchema>> {
  const settings = await readLinkSettings(db, site)
  const { id } = await findTarget(db, site, target, settings.languages)
  const stored = await readStoredMenu(db, site, id)
  if (!stored) throw menuDeleted(target.ref)
  setEtag(await versionOfMenu(stored))
  const links = withLinks ? await readItemLinks(db, site, settings, stored) : undefined
  const items = await presentItems(stored.items, contentOfItem)
  return {
    site_id: site.blogId,
    menu: presentMenu(stored.menu),
    items: links ? items.map((item) => ({ ...item, link: links.get(item.id) })) : items,
    entry: null,
  }
}

async function readFormerMenu(
  call: MenuReadCall,
  moment: NonNullable<z.output<typeof atField>>,
): Promise<ResponseOf<typeof MenuStateSchema>> {
  const { db, site, params } = call
  const { ref } = params
  const current = (await findCurrent(call))?.id
  const isLocation = locationIn(ref) !== undefined
  const thing = {
    kind: 'menu' as const,
    ref: isLocation && current !== undefined ? String(current) : ref,
    current: current === undefined ? undefined : String(current),
  }
  const found = await findThingAt(db, site, thing, moment)
  if (!found) throw errorOf('menu_not_found', { ref })
  const { id, entry } = found
  if (!entry) return readCurrentMenu(call, { ref: String(id) })
  const state = await readState(db, site, entry)
  if (state?.content === undefined) throw contentPruned(entry.id)
  const name = readableMenuName(String(state.fields.name))
  return {
    site_id: site.blogId,
    menu: { id: Number(id), name, slug: String(state.fields.slug) },
    items: await presentItemsOf(state.content),
    entry: presentEntry(entry),
  }
}

/** The menu that the reference names now, if it names one. */
async function findCurrent(call: MenuReadCall): Promise<Menu | undefined> {
  const { db, site, params } = call
  return locationIn(params.ref) === undefined
    ? (await findMenus(db, site, params.ref))[0]
    : findTarget(db, site, menuTarget(call))
}
