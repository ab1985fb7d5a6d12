import type { Path } from '../markup/path.ts'
import { parsePath } from '../markup/path.ts'
import { menuChoice } from './inserts/menu-choice.ts'
import type { Insert, Program } from './program.ts'
import { type MenuChoice, menuKey } from './values.ts'

/** What a program reads of a site, page aside. */
export type Needs = {
  /** Fields of `site.*` and `settings.*`. */
  readonly site: readonly string[]
  readonly settings: readonly string[]
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

/** Does the output differ by language? */
export function dependsOnLanguage({ site, menus, pages, languages }: Needs): boolean {
  const ofLanguage = new Set(['lang', 'locale', 'rtl', 'dir', 'url'])
  return (
    pages ||
    languages ||
    menus.some(({ lang }) => lang === undefined) ||
    site.some((field) => ofLanguage.has(field))
  )
}

class NeedsCollector {
  readonly #site = new Set<string>()
  readonly #settings = new Set<string>()
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
      for (const { path } of instruction.conditions) this.#path(path)
      if (instruction.content) this.#path(instruction.content.path)
      this.program(instruction.body)
    }
  }

  needs(): Needs {
    return {
      site: [...this.#site].sort(),
      settings: [...this.#settings].sort(),
      menus: [...this.#menus].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, choice]) => choice),
      datasets: [...this.#datasets].sort(),
      pages: this.#pages,
      languages: this.#languages,
    }
  }

  #insert({ kind, params, body }: Insert): void {
    const choice = kind === 'menu' ? menuChoice(params) : undefined
    if (choice) this.#menus.set(menuKey(choice), choice)
    if (kind === 'menu') this.#site.add('url')
    if (kind === 'lang-switcher') this.#languages = true
    if (kind === 'data' || kind === 'repeat') this.#path(parsePath(String(params.source ?? '')))
    if (body) this.program(body)
  }

  #path(path: Path | undefined): void {
    const first = path?.keys[0] ?? ''
    switch (path?.root) {
      case 'site':
        this.#site.add(first)
        break
      case 'settings':
        this.#settings.add(first)
        break
      case 'menu':
        this.#menus.set(menuKey({ location: first }), { location: first })
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
