import { decodePhp } from '../../src/wordpress/serialized/decode-php.ts'
import type { PhpValue } from '../../src/wordpress/serialized/php-value.ts'
import type { Stage } from './stage.ts'

type Entry = {
  readonly who: string
  readonly name: string
  readonly old: string
  readonly new: string
}

/** What a replay has shown. */
export type Replayed = {
  readonly figures: string
  /**
   * The menus, by their slugs, that were at each location since the service last put one there, that one first. Where PHP has brought back
   * the one before, the service finds it there when it is asked for it, and has nothing to write.
   */
  readonly held: ReadonlyMap<string, ReadonlySet<string | undefined>>
  readonly faults: readonly string[]
}

/** Which key of each shared option holds what the service writes. */
const OURS: Readonly<Record<string, string>> = {
  theme_mods_opal: 'nav_menu_locations',
  polylang: 'nav_menus',
}
const THEME = 'opal'

/** All that became of the options that several programs write, in the order in which the database carried it out. */
export class OptionHistory {
  readonly #stage: Stage

  private constructor(stage: Stage) {
    this.#stage = stage
  }

  /** Begins to record; by a trigger, under the lock of the row, so that the order is the true one. */
  static async record(stage: Stage): Promise<OptionHistory> {
    const { db, site } = stage
    await db.sql.raw(`CREATE TABLE option_history (seq bigint AUTO_INCREMENT PRIMARY KEY,
      who varchar(100), name varchar(191), old longtext, new longtext) CHARACTER SET utf8mb4`)
    await db.sql.raw(`CREATE TRIGGER record_options AFTER UPDATE ON ${site.tables.options} FOR EACH ROW
      IF NEW.option_name IN (${Object.keys(OURS).map((name) => `'${name}'`)}) AND NEW.option_value <> OLD.option_value
      THEN INSERT INTO option_history (who, name, old, new)
        VALUES (SUBSTRING_INDEX(USER(), '@', 1), NEW.option_name, OLD.option_value, NEW.option_value); END IF`)
    return new OptionHistory(stage)
  }

  /**
   * Goes through it: each write must begin with what the one before left, and one of ours may change its own key alone, and there one
   * location, of which it has just written a menu.
   * @param ours accounts of the service and of PHP
   */
  async replay({
    ours,
    theirs,
  }: {
    readonly ours: string
    readonly theirs: string
  }): Promise<Replayed> {
    const { db, site } = this.#stage
    const entries: Entry[] = await db.sql('option_history').orderBy('seq')
    const terms: { term_id: number; slug: string }[] = await db.sql(site.tables.terms)
    const slugs = new Map(terms.map(({ term_id, slug }) => [term_id, slug]))
    const faults: string[] = []
    const held = new Map<string, Set<string | undefined>>()
    const last = new Map<string, string>()
    let undone = 0
    for (const [place, entry] of entries.entries()) {
      const fault = (what: string) => void faults.push(`write ${place} of ${entry.name} ${what}`)
      const before = last.get(entry.name)
      if (before !== undefined && before !== entry.old) fault('began with something else')
      last.set(entry.name, entry.new)
      const [old, now] = [partsOf(entry.name, entry.old), partsOf(entry.name, entry.new)]
      const moved = [...new Set([...old.places.keys(), ...now.places.keys()])].filter(
        (location) => old.places.get(location) !== now.places.get(location),
      )
      const isTheirs = entry.who === theirs
      if (entry.name !== 'polylang')
        for (const location of moved) {
          const before = isTheirs ? (held.get(location) ?? []) : []
          held.set(location, new Set([...before, slugs.get(now.places.get(location) ?? 0)]))
        }
      if (isTheirs) {
        undone += moved.length
        continue
      }
      if (entry.who !== ours) fault(`is ${entry.who}'s`)
      if (old.rest !== now.rest) fault('changed a key that is not ours')
      if (moved.length > 1) fault(`changed ${moved.join(' and ')} at once`)
    }
    const count = (who: string) => entries.filter((entry) => entry.who === who).length
    return {
      figures: `${count(ours)} of ours, ${count(theirs)} of PHP's, which undid ${undone} of ours`,
      held,
      faults,
    }
  }
}

/** An option as the menus at its locations, and all the rest. */
function partsOf(name: string, text: string): { places: Map<string, number>; rest: string } {
  const value = decodePhp(text)
  const key = OURS[name] ?? ''
  const entries = value instanceof Map ? [...value] : []
  const own = value instanceof Map ? value.get(key) : undefined
  const map = name === 'polylang' && own instanceof Map ? own.get(THEME) : own
  return {
    places: placesIn(map),
    rest: plain(new Map(entries.filter(([other]) => other !== key))),
  }
}

/** Ids of menus by location; in Polylang's map by that of the default language, with which the service's own writes are made. */
function placesIn(map: PhpValue | undefined): Map<string, number> {
  const places = new Map<string, number>()
  if (!(map instanceof Map)) return places
  for (const [location, menu] of map) {
    const id = menu instanceof Map ? menu.get('en') : menu
    if (Number(id) > 0) places.set(String(location), Number(id))
  }
  return places
}

const plain = (value: PhpValue): string =>
  JSON.stringify(value, (_, part) => (part instanceof Map ? [...part] : part))
