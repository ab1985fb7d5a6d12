import { insertOf } from '../inserts/all-inserts.ts'
import type { Path } from '../value-path.ts'
import type { Insert, Program } from './program.ts'
import { type MenuChoice, menuKey } from './values.ts'

/** The data that frames read. Stored in the header of a baked copy. */
export type Needs = {
  /** Fields of `site.*`, `settings.*` and `page.*`. */
  readonly site: readonly string[]
  readonly settings: readonly string[]
  readonly page: readonly string[]
  readonly menus: readonly MenuChoice[]
  readonly datasets: readonly string[]
  readonly pages: boolean
  readonly languages: boolean
}

/** The data that several programs read, without duplicates and sorted, so that equal needs are equal as JSON. */
export function collectNeeds(programs: Iterable<Program>): Needs {
  const collector = new NeedsCollector()
  for (const program of programs) collector.addProgram(program)
  return collector.needs()
}

const LANGUAGE_FIELDS = new Set(['lang', 'locale', 'language_tag', 'rtl', 'dir', 'url'])

/** Whether the output may differ between languages. */
export function dependsOnLanguage({ site, menus, pages, languages }: Needs): boolean {
  return (
    pages ||
    languages ||
    menus.some(({ lang }) => lang === undefined) ||
    site.some((field) => LANGUAGE_FIELDS.has(field))
  )
}

class NeedsCollector {
  readonly #site = new Set<string>()
  readonly #settings = new Set<string>()
  readonly #page = new Set<string>()
  readonly #menus = new Map<string, MenuChoice>()
  readonly #datasets = new Set<string>()
  #pages = false
  #languages = false

  addProgram(program: Program): void {
    for (const instruction of program) {
      if (typeof instruction === 'string') continue
      if (instruction.op === 'insert') {
        this.#addInsert(instruction)
        continue
      }
      for (const part of instruction.open) if (typeof part !== 'string') this.#addPath(part.path)
      for (const { path } of instruction.conditions.all) this.#addPath(path)
      if (instruction.content) this.#addPath(instruction.content.path)
      this.addProgram(instruction.body)
    }
  }

  needs(): Needs {
    return {
      site: [...this.#site].sort(),
      settings: [...this.#settings].sort(),
      page: [...this.#page].sort(),
      menus: [...this.#menus].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, choice]) => choice),
      datasets: [...this.#datasets].sort(),
      pages: this.#pages,
      languages: this.#languages,
    }
  }

  #addInsert(insert: Insert): void {
    const { path, menu, page = [] } = insertOf(insert).needs(insert)
    if (path) this.#addPath(path)
    if (menu) this.#addMenu(menu)
    for (const field of page) this.#page.add(field)
    if (insert.body) this.addProgram(insert.body)
  }

  #addMenu(choice: MenuChoice): void {
    this.#menus.set(menuKey(choice), choice)
  }

  #addPath({ root, keys }: Path): void {
    const [first = ''] = keys
    switch (root) {
      case 'site':
        this.#site.add(first)
        break
      case 'settings':
        this.#settings.add(first)
        break
      case 'page':
        this.#page.add(first)
        break
      case 'menu':
        this.#addMenu({ location: first })
        break
      case 'dataset':
        this.#datasets.add(first)
        break
      case 'pages':
        this.#pages = true
        break
      case 'languages':
        this.#languages = true
        break
      case 'props':
      case 'item':
        // They are of the frame that embeds this one, or of a row.
        break
      default:
        root satisfies never
    }
  }
}
