import type { FrameGraph, IndexedFrame } from '../../content/frames/graph.ts'
import { type MenuChoice, menuKey } from '../../content/markup/evaluation/values.ts'
import { parseLocationRef } from '../../content/menus/location-history.ts'
import type { Work } from '../../content/work/work.ts'
import type { Db } from '../../db/database.ts'
import type { ThingWrite } from '../../record/history/record-history.ts'
import { readLanguages } from '../../wordpress/languages/languages.ts'
import { readLocationMaps } from '../../wordpress/nav-menus/location-maps.ts'
import { listMenus } from '../../wordpress/nav-menus/nav-menu.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { readHeader } from './bake-frame.ts'
import { isClosureOf } from './closure.ts'
import { type Dependent, findDependents, readersOf } from './dependents.ts'
import { chosenMenuId } from './sources/menu-source.ts'

/** What a write does to the menus of a site, as far as it decides which frames show it. */
export type WrittenMenus = {
  /** The ids of the menus that it writes, without those that get their ids later. */
  readonly ids: ReadonlySet<number>
  /** The locations whose menus it changes, in whatever theme and language. */
  readonly locations: ReadonlySet<string>
  /** It creates, renames or deletes a menu, so that names may name another menu than before. */
  readonly changesNames: boolean
}

/** What a transaction has written to menus; undefined if that is not known by name. */
export function menusWrittenBy(writes: readonly ThingWrite[]): WrittenMenus | undefined {
  const ids = new Set<number>()
  const locations = new Set<string>()
  let changesNames = false
  for (const { kind, ref, before, after } of writes) {
    if (kind === 'menu') {
      ids.add(Number(ref))
      changesNames ||= NAMES.some((name) => before?.fields[name] !== after?.fields[name])
    }
    if (kind !== 'location') continue
    const at = parseLocationRef(ref)
    if (!at) return undefined
    locations.add(at.location)
  }
  return { ids, locations, changesNames }
}

const NAMES = ['name', 'slug']

/** Frames whose headers are read to know what they show: the writers of the site may wait meanwhile. */
const MAX_HEADERS = 500

/**
 * The frames whose output may change, as `findDependents` finds them for a build, but without those that surely show none of the written
 * menus: for what is said of a write before it is built. What a frame reads is in the header of its baked copy; a frame without a copy of
 * its present markup may show any menu.
 * @param written undefined if it may be any menu
 */
export async function findChangedDependents(
  db: Db,
  site: Site,
  graph: FrameGraph,
  work: readonly Work[],
  written: WrittenMenus | undefined,
): Promise<Dependent[]> {
  const readers = work.some(({ kind }) => kind === 'menus') ? readersOf(graph, 'menus') : []
  if (!written || readers.length === 0 || readers.length > MAX_HEADERS)
    return findDependents(graph, work)
  const read = await Promise.all(readers.map((frame) => readChoices(db, site, graph, frame)))
  const all = new Map(read.flatMap((choices = []) => choices).map((one) => [menuKey(one), one]))
  const shown = await findShown(db, site, [...all.values()], written)
  const others = new Set(
    readers.filter((_, at) => read[at]?.every((choice) => !shown.has(menuKey(choice)))),
  )
  return findDependents(graph, work, (frame) => !others.has(frame))
}

/** The menus that a frame with its embedded frames reads; undefined if they are not known. */
async function readChoices(
  db: Db,
  site: Site,
  graph: FrameGraph,
  { id }: IndexedFrame,
): Promise<readonly MenuChoice[] | undefined> {
  const header = await readHeader({ db, site }, id)
  return header && isClosureOf(graph, id, header.closure) ? header.needs.menus : undefined
}

/**
 * The keys of the choices that may mean a written menu, before or after the write. Locations and names that the write leaves alone mean the same
 * menus before and after it, so it does not matter whether the database shows it already.
 */
async function findShown(
  db: Db,
  site: Site,
  choices: readonly MenuChoice[],
  { ids, locations, changesNames }: WrittenMenus,
): Promise<ReadonlySet<string>> {
  const [languages, maps, menus] = await Promise.all([
    readLanguages(db, site),
    readLocationMaps(db, site),
    changesNames ? listMenus(db, site) : [],
  ])
  const known = new Set(menus.map(({ id }) => id))
  // A location may hold the id that a new menu gets.
  const isWritten = (id: number) => ids.has(id) || (changesNames && id > 0 && !known.has(id))
  const codes = [null, ...languages.list.map(({ slug }) => slug)]
  const mayShow = async (choice: MenuChoice): Promise<boolean> => {
    const { location = '', menu, lang } = choice
    // A named menu is replaced by its translation, which locations decide.
    if (menu !== undefined && (changesNames || locations.size > 0)) return true
    if (menu === undefined && (locations.has(location) || (changesNames && maps.hasNames)))
      return true
    for (const code of lang === undefined ? codes : [lang])
      if (isWritten(await chosenMenuId(db, site, { languages, maps }, choice, code))) return true
    return false
  }
  const shown = await Promise.all(
    choices.map(async (choice) => ((await mayShow(choice)) ? [menuKey(choice)] : [])),
  )
  return new Set(shown.flat())
}
