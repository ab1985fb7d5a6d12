import { recordEditedFrames } from '../content/frames/frame-history.ts'
import { DATASET_PREFIX, REGISTRY_OPTION } from '../content/frames/option-names.ts'
import { recordEditedDataset } from '../content/frames/write-dataset.ts'
import {
  locationsIn,
  parseLocationRef,
  recordEditedLocation,
} from '../content/menus/location-history.ts'
import { recordEditedMenu } from '../content/menus/menu-history.ts'
import { readRows } from '../db/sql.ts'
import type { Tx } from '../db/transaction.ts'
import { type EventThing, type Thing, thingKey } from '../record/history/history-row.ts'
import { listThingsInHistory } from '../record/history/read-history.ts'
import { recordEvent } from '../record/history/record-event.ts'
import { readHistoryAhead } from '../record/history/record-history.ts'
import { readNamedMenus } from '../wordpress/nav-menus/menu-of-value.ts'
import type { Site } from '../wordpress/network/site.ts'
import { THEME_MODS_PREFIX } from '../wordpress/options/theme-mods.ts'
import { lockOptions } from '../wordpress/options/write-options.ts'
import { type Edits, slugsIn } from './find-edits.ts'
import type { PostEdit } from './seen-posts.ts'

/** What the edited menus of a comparison may take together until its commit. The texts of the largest one fit into a packet of any server. */
const MAX_EDITED_MENU_BYTES = 8 * 1024 * 1024

/**
 * Records what another program has edited. What the history knows gets an entry, unless it is as the last entry says: then this service has
 * written it. The feed of changes names the rest: pages, and things without an entry.
 * @param frames ids of the edited frames; the caller has locked the registry
 */
export async function recordEditedThings(
  tx: Tx,
  site: Site,
  edits: Edits,
  frames: readonly string[],
): Promise<void> {
  const menus = await findEditedMenus(tx, site, edits)
  const datasets = edits.options.flatMap(({ name }) =>
    name.startsWith(DATASET_PREFIX) ? name.slice(DATASET_PREFIX.length) : [],
  )
  const things: Thing[] = [
    ...frames.map((ref): Thing => ({ kind: 'frame', ref })),
    ...menus.map((id): Thing => ({ kind: 'menu', ref: String(id) })),
    ...datasets.map((ref): Thing => ({ kind: 'dataset', ref })),
  ]
  const { entries } = await readHistoryAhead(tx, site, things)
  const isKnown = (thing: Thing): boolean => entries.get(thingKey(thing)) != null
  const refsOf = (kind: Thing['kind']) =>
    things.flatMap((thing) => (thing.kind === kind && isKnown(thing) ? thing.ref : []))
  if (frames.length > 0) await recordEditedFrames(tx, site, refsOf('frame'))
  // Menus before options: the order of their locks.
  let menuBytes = 0
  for (const ref of refsOf('menu'))
    menuBytes += await recordEditedMenu(tx, site, Number(ref), MAX_EDITED_MENU_BYTES - menuBytes)
  for (const ref of refsOf('dataset')) await recordEditedDataset(tx, site, ref)
  await recordEditedLocations(tx, site, edits)
  const deleted = deletedFrames(edits)
  await recordEvent(tx, site, 'edited', [
    ...edits.posts.flatMap(pageOf),
    ...[...deleted].map((ref): EventThing => ({ kind: 'frame', ref, action: 'deleted' })),
    ...things.flatMap(({ kind, ref }): EventThing[] =>
      isKnown({ kind, ref }) || deleted.has(ref) ? [] : [{ kind, ref, action: 'edited' }],
    ),
  ])
}

/** The frames that the registry no longer lists. The history says so before the next write of them. */
function deletedFrames({ options }: Edits): ReadonlySet<string> {
  const registry = options.find(({ name }) => name === REGISTRY_OPTION)
  const after = slugsIn(registry?.after)
  return new Set([...slugsIn(registry?.before).keys()].filter((id) => !after.has(id)))
}

/** Records the locations in the edited options that the history knows. Which of the others were edited nobody can say. */
async function recordEditedLocations(tx: Tx, site: Site, { options }: Edits): Promise<void> {
  const names = options.flatMap(({ name }) =>
    name.startsWith(THEME_MODS_PREFIX) || name === 'polylang' ? name : [],
  )
  if (names.length === 0) return
  const texts = await lockOptions(tx, site, names)
  const menus = await readNamedMenus(tx, site, [...texts])
  const locations = new Map(
    [...texts].flatMap(([name, text]) => [...locationsIn(name, text, menus)]),
  )
  for (const ref of await listThingsInHistory(tx, site, 'location')) {
    const at = parseLocationRef(ref)
    const option = at?.lang === null ? `${THEME_MODS_PREFIX}${at.theme}` : 'polylang'
    if (at && names.includes(option)) recordEditedLocation(tx, site, ref, locations.get(ref))
  }
}

function pageOf({ id, before, after }: PostEdit): EventThing[] {
  if ((after ?? before)?.type !== 'page') return []
  const action = before === undefined ? 'created' : after === undefined ? 'deleted' : 'edited'
  return [{ kind: 'page', ref: String(id), action }]
}

/** The ids of the menus that edits of items and menus concern. */
async function findEditedMenus(tx: Tx, site: Site, { posts, terms }: Edits): Promise<number[]> {
  const items = posts.filter(({ before, after }) => (after ?? before)?.type === 'nav_menu_item')
  const menus = terms.filter(({ before, after }) => (after ?? before)?.taxonomy === 'nav_menu')
  if (items.length + menus.length === 0) return []
  const { termRelationships, termTaxonomy } = site.tables
  const rows = await readRows<{ term_id: number }>(
    tx,
    `SELECT DISTINCT tt.term_id FROM :taxonomy: tt WHERE tt.taxonomy = 'nav_menu' AND (tt.term_taxonomy_id IN (:menus)
      OR tt.term_taxonomy_id IN (SELECT term_taxonomy_id FROM :relationships: WHERE object_id IN (:items)))`,
    {
      taxonomy: termTaxonomy,
      relationships: termRelationships,
      menus: [0, ...menus.map(({ id }) => id)],
      items: [0, ...items.map(({ id }) => id)],
    },
  )
  const ids = new Set(rows.map(({ term_id }) => Number(term_id)))
  // The database does not say any more to which menu a deleted item belonged.
  if ([...items, ...menus].some(({ after }) => after === undefined))
    for (const ref of await listThingsInHistory(tx, site, 'menu')) ids.add(Number(ref))
  return [...ids]
}
