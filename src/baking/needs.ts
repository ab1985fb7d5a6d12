import type { Path } from '../markup/value-path.ts'
import type { Insert, Program } from './program.ts'
import { type MenuChoice, menuChoice, menuKey } from './values.ts'

/** What frames read. */
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

/** What several programs read together; each thing once, in order, so that equal needs are equal texts. */
export function collectNeeds(programs: Iterable<Program>): Needs {
  const found = new NeedsCollector()
  for (const program of programs) found.program(program)
  return found.needs()
}

const FIELDS_OF_LANGUAGE = new Set(['lang', 'locale', 'rtl', 'dir', 'url'])

/** Does the output differ by language? */
export function dependsOnLanguage({ site, menus, pages, languages }: Needs): boolean {
  return (
    pages ||
    languages ||
    menus.some(({ lang }) => lang === undefined) ||
    site.some((field) => FIELDS_OF_LANGUAGE.has(field))
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

  program(program: Program): void {
    for (const instruction of program) {
      if (typeof instruction === 'string') continue
      if (instruction.op === 'insert') {
        this.#insert(instruction)
        continue
      }
      for (const part of instruction.open) if (typeof part !== 'string') this.#path(part.path)
      for (const { path } of instruction.conditions.all) this.#path(path)
      if (instruction.content) this.#path(instruction.content.path)
      this.program(instruction.body)
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

  #insert({ kind, params, path, body }: Insert): void {
    if (kind === 'menu') this.#menu(menuChoice(params), params.current === true)
    else if (path) this.#path(path)
    if (kind === 'lang-switcher') this.#page.add('translations')
    if (body) this.program(body)
  }

  #menu(choice: MenuChoice | undefined, marksCurrent: boolean): void {
    if (choice) this.#menus.set(menuKey(choice), choice)
    if (marksCurrent) this.#page.add('ancestors')
  }

  #path({ root, keys }: Path): void {
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
        this.#menu({ location: first }, false)
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
    }
  }
}
