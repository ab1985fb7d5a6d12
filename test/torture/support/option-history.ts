import { decodePhp, type PhpValue } from '#php-serialized'
import type { TortureFixture } from './torture-fixture.ts'

type Entry = {
  readonly who: string
  readonly name: string
  readonly old: string
  readonly new: string
}

/** The result of a replay. */
export type Replayed = {
  readonly figures: string
  /**
   * The slugs of the menus at each location since the service last assigned one, that one first. If PHP has restored the
   * previous menu, the service finds the requested menu already assigned and writes nothing.
   */
  readonly menusByLocation: ReadonlyMap<string, ReadonlySet<string | undefined>>
  readonly faults: readonly string[]
}

/** The key of each shared option that the service writes. */
const OURS: Readonly<Record<string, string>> = {
  theme_mods_opal: 'nav_menu_locations',
  polylang: 'nav_menus',
}
const THEME = 'opal'

/** All changes of the options that several programs write, in the order of their execution. */
export class OptionHistory {
  readonly #fixture: TortureFixture

  private constructor(fixture: TortureFixture) {
    this.#fixture = fixture
  }

  /** Starts to record with a trigger, which runs under the lock of the row and so keeps the order. */
  static async record(fixture: TortureFixture): Promise<OptionHistory> {
    const { db, site } = fixture
    await db.sql.raw(`CREATE TABLE option_history (seq bigint AUTO_INCREMENT PRIMARY KEY,
      who varchar(100), name varchar(191), old longtext, new longtext) CHARACTER SET utf8mb4`)
    await db.sql.raw(`CREATE TRIGGER record_options AFTER UPDATE ON ${site.tables.options} FOR EACH ROW
      IF NEW.option_name IN (${Object.keys(OURS).map((name) => `'${name}'`)}) AND NEW.option_value <> OLD.option_value
      THEN INSERT INTO option_history (who, name, old, new)
        VALUES (SUBSTRING_INDEX(USER(), '@', 1), NEW.option_name, OLD.option_value, NEW.option_value); END IF`)
    return new OptionHistory(fixture)
  }

  /**
   * Checks the history: each write must start from the result of the previous one. A write of the service may change only its own key,
   * and in it one location.
   * @param ours accounts of the service and of PHP
   */
  async replay({
    ours,
    theirs,
  }: {
    readonly ours: string
    readonly theirs: string
  }): Promise<Replayed> {
    const { db, site } = this.#fixture
    const entries: Entry[] = await db.sql('option_history').orderBy('seq')
    const terms: { term_id: number; slug: string }[] = await db.sql(site.tables.terms)
    const slugs = new Map(terms.map(({ term_id, slug }) => [term_id, slug]))
    const faults: string[] = []
    const menusByLocation = new Map<string, Set<string | undefined>>()
    const last = new Map<string, string>()
    let undone = 0
    for (const [index, entry] of entries.entries()) {
      const fault = (what: string) => void faults.push(`write ${index} of ${entry.name} ${what}`)
      const before = last.get(entry.name)
      if (before !== undefined && before !== entry.old)
        fault('did not start from the previous value')
      last.set(entry.name, entry.new)
      const [old, now] = [partsOf(entry.name, entry.old), partsOf(entry.name, entry.new)]
      const moved = [...new Set([...old.assignments.keys(), ...now.assignments.keys()])].filter(
        (location) => old.assignments.get(location) !== now.assignments.get(location),
      )
      const isTheirs = entry.who === theirs
      if (entry.name !== 'polylang')
        for (const location of moved) {
          const before = isTheirs ? (menusByLocation.get(location) ?? []) : []
          menusByLocation.set(
            location,
            new Set([...before, slugs.get(now.assignments.get(location) ?? 0)]),
          )
        }
      if (isTheirs) {
        undone += moved.length
        continue
      }
      if (entry.who !== ours) fault(`is ${entry.who}'s`)
      if (old.rest !== now.rest) fault('changed a key of another program')
      if (moved.length > 1) fault(`changed ${moved.join(' and ')} at once`)
    }
    const count = (who: string) => entries.filter((entry) => entry.who === who).length
    return {
      figures: `${count(ours)} of ours, ${count(theirs)} of PHP's, which undid ${undone} of ours`,
      menusByLocation,
      faults,
    }
  }
}

/** Splits an option into the menus at its locations and the rest. */
function partsOf(name: string, text: string): { assignments: Map<string, number>; rest: string } {
  const value = decodePhp(text)
  const key = OURS[name] ?? ''
  const entries = value instanceof Map ? [...value] : []
  const own = value instanceof Map ? value.get(key) : undefined
  const map = name === 'polylang' && own instanceof Map ? own.get(THEME) : own
  return {
    assignments: assignmentsIn(map),
    rest: plain(new Map(entries.filter(([other]) => other !== key))),
  }
}

/** Ids of menus by location; from Polylang's map those of the default language, which the trial's writes use. */
function assignmentsIn(map: PhpValue | undefined): Map<string, number> {
  const assignments = new Map<string, number>()
  if (!(map instanceof Map)) return assignments
  for (const [location, menu] of map) {
    const id = menu instanceof Map ? menu.get('en') : menu
    if (Number(id) > 0) assignments.set(String(location), Number(id))
  }
  return assignments
}

const plain = (value: PhpValue): string =>
  JSON.stringify(value, (_, part) => (part instanceof Map ? [...part] : part))
