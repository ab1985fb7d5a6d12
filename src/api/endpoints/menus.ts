import { z } from 'zod'
import { readTree } from '../../content/menus/item-tree.ts'
import { LOCATIONS } from '../../content/menus/location-names.ts'
import { readAssignment } from '../../content/menus/locations.ts'
import { menuDeleted, versionOfMenu } from '../../content/menus/menu-target.ts'
import { findTargets } from '../../content/menus/menu-targets.ts'
import { readWriteContext } from '../../content/menus/write-context.ts'
import {
  assignLocation,
  createMenu,
  deleteMenu,
  renameMenu,
} from '../../content/menus/write-menu.ts'
import { contentPruned } from '../../content/restore/choose-targets.ts'
import { findThingAt, readState } from '../../content/restore/thing-at.ts'
import type { Db } from '../../db/database.ts'
import { mapYielding } from '../../host/concurrency/for-each.ts'
import { AppError, errorOf } from '../../host/errors.ts'
import { readableMenuName } from '../../wordpress/formatting/menu-texts.ts'
import { assertLanguage, findLanguage, readLanguages } from '../../wordpress/languages/languages.ts'
import {
  findMenus,
  getMenu,
  locationIn,
  type MenuScope,
} from '../../wordpress/nav-menus/find-menu.ts'
import { linkProblem } from '../../wordpress/nav-menus/link-problem.ts'
import { assignmentsOf, readLocationMaps } from '../../wordpress/nav-menus/location-maps.ts'
import { listMenus, type Menu } from '../../wordpress/nav-menus/nav-menu.ts'
import { linkItems, readStoredMenu, type StoredMenu } from '../../wordpress/nav-menus/read-menu.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { type LinkSettings, readLinkSettings } from '../../wordpress/permalinks/link-settings.ts'
import { coded } from '../coded-fields.ts'
import { exampled, field, nullable } from '../described.ts'
import {
  type Call,
  defineEndpoint,
  type Endpoint,
  type ResponseOf,
  type SetEtag,
} from '../endpoint.ts'
import { EFFECTS, flag, objectBody } from '../fields.ts'
import { limitField, searchField } from '../paging.ts'
import { pick } from '../pick.ts'
import { MAX_LARGE_BODY_BYTES } from '../request-body.ts'
import {
  atField,
  EntrySchema,
  presentEntry,
  presentItem,
  presentItemsOf,
  StoredItemSchema,
} from './history.ts'
import {
  AssignedSchema,
  allowInvalidField,
  blankAsAbsent,
  InvalidItemSchema,
  ignoredOfItems,
  itemsField,
  locationField,
  MENU_ERRORS,
  MenuNamesSchema,
  MenuOfItemSchema,
  MenuParamsSchema,
  menuTarget,
  menuWritten,
  nameField,
  ofMenu,
  presentMenu,
  presentMenuOfItem,
  readItemsAt,
  readItemsAtField,
  ScopeQuerySchema,
  scopeFields,
  slugField,
  TARGET_ERRORS,
  themeField,
  versionAfter,
  WrittenItemSchema,
  writerOf,
} from './menu-fields.ts'

/** Where an item of a menu leads, and whether visitors get there. */
const ItemLinkSchema = z
  .object({
    title: z.string().describe('As shown; HTML.'),
    linked_title: z
      .string()
      .describe('What an item without a title of its own shows; HTML. Empty for an address.'),
    url: z.string().describe('Empty if the target does not exist.'),
    page: nullable(z.int(), 'Id of the linked page; null for other links.'),
    lang: nullable(z.string(), 'Code of the language of the linked page or post.'),
    translations: field(z.record(z.string(), z.int()), 'Ids of its translations by language.', {
      en: 12,
      fr: 15,
    }),
    problem: nullable(
      z.enum(['target_missing', 'target_not_public', 'not_published']),
      '`target_missing`: the linked page or term does not exist or is in the trash, so visitors do not see the item. `target_not_public`: the link leads to a page that visitors cannot read. `not_published`: the item is a draft. Null: visitors see the item, and the target that the site itself knows is public.',
    ),
    message: z.string().nullable(),
  })
  .meta({ id: 'MenuItemLink' })

type PresentedLink = ResponseOf<typeof ItemLinkSchema>

/** The links of all items of a menu, by id, in one statement, or two if terms are linked. */
async function readItemLinks(
  db: Db,
  site: Site,
  links: LinkSettings,
  stored: StoredMenu,
): Promise<Map<number, PresentedLink>> {
  const { items, objects } = await linkItems(db, site, links, stored)
  return new Map(
    items.map((item) => {
      const { title, linkedTitle, url, page } = item
      const target = item.type === 'post_type' ? objects.posts.get(item.objectId) : undefined
      const lang = target?.lang ?? null
      const translations = Object.fromEntries(target?.translations ?? [])
      const { kind: problem = null, reason } = linkProblem(item, objects) ?? {}
      const message = reason === undefined ? null : `The item ${reason}.`
      const link = { title, linked_title: linkedTitle, url, page, lang, translations }
      return [item.id, { ...link, problem, message }]
    }),
  )
}

const listMenusEndpoint = defineEndpoint({
  name: 'listMenus',
  isOfContract: true,
  method: 'get',
  path: '/menus',
  summary: 'List all menus of the site with their assignments, sorted by name',
  command: {
    name: 'menus list',
    summary: 'list the menus and their locations',
    list: {
      rows: 'menus',
      noun: 'menu',
      id: 'id',
      shown: ['id', 'name', 'slug:readable', 'items', 'assigned'],
    },
    examples: [
      'wp-frames menus list --site 2',
      'wp-frames menus list --network --format csv',
      'wp-frames menus list --site net.test/shop --fields id,name',
    ],
  },
  query: z.object({ theme: themeField }),
  response: z.object({
    theme: z.string().meta({ examples: ['opal'] }),
    locations: z.array(z.string()).meta({ examples: [LOCATIONS] }),
    default_lang: exampled(z.string().nullable(), 'en'),
    read_items_at: readItemsAtField,
    total: z.int(),
    menus: z.array(
      MenuNamesSchema.extend({
        items: z.int().describe('Number of items.'),
        assigned: AssignedSchema,
      }),
    ),
  }),
  mcpLeavesOut: ['read_items_at'],
  async read({ db, site, query }) {
    const [languages, maps, menus] = await Promise.all([
      readLanguages(db, site),
      readLocationMaps(db, site, query.theme),
      listMenus(db, site),
    ])
    return {
      theme: maps.theme,
      locations: LOCATIONS,
      default_lang: languages.default,
      read_items_at: readItemsAt(site),
      total: menus.length,
      menus: menus.map((menu) => ({
        ...presentMenu(menu),
        items: menu.count,
        assigned: assignmentsOf(maps, languages, menu.id),
      })),
    }
  },
})

/** Targets of each kind in a response. */
export const MENU_TARGETS = { max: 100, byDefault: 20 }

const listMenuTargetsEndpoint = defineEndpoint({
  name: 'listMenuTargets',
  method: 'get',
  path: '/menus/:ref/targets',
  summary: 'Search what an item of the menu can link: posts of all types, terms and archives',
  description: 'Published posts. Only the PHP of the site knows which of them it shows.',
  params: MenuParamsSchema,
  query: z.object({
    search: searchField('Part of the title, name or slug, or the id.', 'team'),
    ...scopeFields,
    limit: limitField('Targets of each kind', MENU_TARGETS),
  }),
  response: z.object({
    menu: MenuOfItemSchema,
    targets: z.array(
      z
        .object({
          type: z.enum(['post_type', 'taxonomy', 'post_type_archive']),
          object: field(z.string(), 'Its post type or taxonomy.', 'page'),
          object_id: z.int().describe('0 for an archive.'),
          title: field(z.string(), 'As stored; HTML.', 'Team'),
          url: z.string(),
          lang: z.string().nullable(),
        })
        .meta({ id: 'MenuTarget' }),
    ),
  }),
  errors: TARGET_ERRORS,
  async read({ db, site, params, query }) {
    const { search: text = '', lang, limit = MENU_TARGETS.byDefault } = query
    const links = await readLinkSettings(db, site)
    const { languages } = links
    if (lang !== undefined) assertLanguage(languages, lang)
    const menu = await getMenu(db, site, params.ref, query, languages)
    const language = lang === undefined ? undefined : findLanguage(languages, lang)
    return {
      menu: presentMenuOfItem(menu),
      targets: await findTargets(db, site, links, { text, language, limit }),
    }
  },
})

const MenuStateSchema = z.object({
  menu: MenuNamesSchema,
  items: z
    .array(StoredItemSchema.extend({ link: ItemLinkSchema.optional().describe('With `links`.') }))
    .describe('All items, in order.'),
  entry: EntrySchema.nullable().describe(
    'With `at`: the entry with this state; null if the menu has not been written since the history began.',
  ),
})

/** Reads a menu as it is stored, now or at a moment. The sources of data return items as visitors see them. */
const getMenuEndpoint = defineEndpoint({
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
      : readCurrentMenu(call, call.params.ref, query, query.links)
  },
})

type MenuReadCall = SetEtag &
  Pick<
    Call<{ readonly ref: string }, MenuScope, unknown>,
    'db' | 'site' | 'params' | 'query' | 'precondition'
  >

async function readCurrentMenu(
  { db, site, setEtag }: MenuReadCall,
  ref: string,
  scope: MenuScope = {},
  withLinks = false,
): Promise<ResponseOf<typeof MenuStateSchema>> {
  const settings = await readLinkSettings(db, site)
  const { id } = await getMenu(db, site, ref, scope, settings.languages)
  const stored = await readStoredMenu(db, site, id)
  if (!stored) throw menuDeleted(ref)
  setEtag(await versionOfMenu(stored))
  const links = withLinks ? await readItemLinks(db, site, settings, stored) : undefined
  const items = await mapYielding(stored.items, presentItem)
  return {
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
  if (!entry) return readCurrentMenu(call, String(id))
  const state = await readState(db, site, entry)
  if (state?.content === undefined) throw contentPruned(entry.id)
  const name = readableMenuName(String(state.fields.name))
  return {
    menu: { id: Number(id), name, slug: String(state.fields.slug) },
    items: await presentItemsOf(state.content),
    entry: presentEntry(entry),
  }
}

/** The menu that the reference names now, if it names one. */
async function findCurrent(call: MenuReadCall): Promise<Menu | undefined> {
  const { db, site, params, query } = call
  return locationIn(params.ref) === undefined
    ? (await findMenus(db, site, params.ref))[0]
    : getMenu(db, site, params.ref, query)
}

const createMenuEndpoint = defineEndpoint({
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
    theme: nullable(z.string(), 'The `theme` of the request; null if there was none.'),
    menu: MenuNamesSchema.extend({ items: z.int().describe('Number of items.') }),
    items: z.array(WrittenItemSchema),
    invalid: z.array(InvalidItemSchema).describe('Items that were left out.'),
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
    const { menu, items, invalid, warnings } = await createMenu(tx, site, write, context)
    return menuWritten(tx, call, menu, {
      theme,
      menu: { ...presentMenu(menu), items: items.length },
      items: items.map((item) => pick(WrittenItemSchema, item)),
      invalid,
      warnings,
    })
  },
})

const renameMenuEndpoint = defineEndpoint({
  ...ofMenu,
  name: 'renameMenu',
  method: 'patch',
  path: '/menus/:ref',
  summary: 'Rename a menu, or change its slug',
  description: 'Items and assignments do not change, and no frame is rebaked.',
  body: objectBody({ ...scopeFields, name: blankAsAbsent(nameField.optional()), slug: slugField }),
  example: { name: 'Main navigation' },
  response: z.object({
    menu: MenuNamesSchema.extend({ term_taxonomy_id: z.int(), count: z.int() }),
  }),
  errors: ['nothing_to_update', 'menu_name_required', 'menu_term_shared', ...MENU_ERRORS],
  async prepare({ body: { name, slug } }) {
    if (name !== undefined || slug !== undefined) return { name, slug }
    throw new AppError(
      'nothing_to_update',
      'The body contains no field to change. Send "name", "slug" or both.',
    )
  },
  async write(tx, call, renaming) {
    const { site } = call
    const { menu, warnings } = await renameMenu(tx, site, menuTarget(call), renaming)
    return {
      body: {
        menu: { ...presentMenu(menu), term_taxonomy_id: menu.termTaxonomyId, count: menu.count },
        warnings,
      },
      version: await versionAfter(tx, call, menu),
    }
  },
})

const deleteMenuEndpoint = defineEndpoint({
  ...ofMenu,
  name: 'deleteMenu',
  method: 'delete',
  path: '/menus/:ref',
  summary: 'Delete a menu with its items and its assignments',
  body: objectBody(scopeFields),
  response: z.object({
    deleted: MenuNamesSchema,
    removed_items: z.int(),
    freed_locations: z.array(AssignedSchema.element.extend({ theme: z.string() })),
  }),
  errors: [...MENU_ERRORS, 'menu_assignment_not_stored'],
  effects: EFFECTS,
  prepare: ({ db, site }) => readLanguages(db, site),
  async write(tx, call, languages) {
    const { site } = call
    const { menu, removed, freed } = await deleteMenu(tx, site, languages, menuTarget(call))
    return menuWritten(tx, call, menu, {
      deleted: presentMenu(menu),
      removed_items: removed.length,
      freed_locations: freed,
    })
  },
})

const requiredLocation = coded(
  locationField.pipe(z.enum(LOCATIONS)),
  () =>
    new AppError(
      'location_required',
      'Name the location in "location". A menu cannot be removed from a location; assign another menu instead.',
    ),
)

const assignMenuLocationEndpoint = defineEndpoint({
  name: 'assignMenuLocation',
  isOfContract: true,
  method: 'put',
  path: '/menus/:ref/location',
  summary: 'Assign a menu to a location',
  params: MenuParamsSchema,
  query: ScopeQuerySchema,
  body: objectBody({ ...scopeFields, location: requiredLocation }, 'location'),
  example: { location: 'header', lang: 'fr' },
  response: z.object({
    theme: z.string().meta({ examples: ['opal'] }),
    location: z.string().meta({ examples: ['header'] }),
    lang: exampled(z.string().nullable(), 'en'),
    menu: MenuNamesSchema,
    assigned: AssignedSchema,
  }),
  errors: ['location_required', 'unknown_location', ...MENU_ERRORS, 'menu_assignment_not_stored'],
  effects: EFFECTS,
  async prepare({ db, site, body }) {
    const reading = readLanguages(db, site)
    return Promise.all([reading, readAssignment(db, site, reading, body)])
  },
  async write(tx, call, [languages, assignment]) {
    const { site } = call
    const { theme, location, lang } = assignment
    const target = menuTarget(call)
    const { menu, warnings } = await assignLocation(tx, site, languages, target, assignment)
    const maps = await readLocationMaps(tx, site, theme)
    return menuWritten(tx, call, menu, {
      theme,
      location,
      lang: lang ?? languages.default,
      menu: presentMenu(menu),
      assigned: assignmentsOf(maps, languages, menu.id),
      warnings,
    })
  },
})

export const endpoints: readonly Endpoint[] = [
  listMenusEndpoint,
  listMenuTargetsEndpoint,
  getMenuEndpoint,
  createMenuEndpoint,
  renameMenuEndpoint,
  deleteMenuEndpoint,
  assignMenuLocationEndpoint,
]
