import fc from 'fast-check'
import { WordPress } from '../../../compat/support/wordpress.ts'
import { type EditableSite, openSite } from '../../support/editable-site.ts'
import { type Edit, makeEdit, randomEdit } from '../../support/random-edits.ts'
import type { Random } from '../support/random.ts'
import { type PhpEdit, randomPhpEdit } from './php-edits.ts'

/** Edits of one round, at most. */
const MAX_EDITS = 6

/** An edit by SQL, or by a PHP WordPress. */
export type AnyEdit = Edit | PhpEdit

/** Edits a site as other programs do: by SQL, and in a WordPress. */
export class Editor {
  readonly editable: EditableSite
  readonly #wordpress: WordPress
  readonly #random: Random
  readonly #counts = new Map<string, number>()
  #made = 0

  /** @param phpUrl address of the WordPress */
  constructor(editable: EditableSite, phpUrl: string, random: Random) {
    this.editable = editable
    this.#wordpress = new WordPress(phpUrl)
    this.#random = random
  }

  /** Chooses some edits. @param byPhp whether PHP makes half of them */
  chooseEdits(byPhp: boolean): AnyEdit[] {
    const numRuns = 1 + this.#random.below(MAX_EDITS)
    const bySql = fc.sample(randomEdit, { seed: this.#random.below(2 ** 31), numRuns })
    return bySql.map((edit) => {
      if (!byPhp || this.#random.below(2) === 0) return edit
      this.#made += 1
      return randomPhpEdit(this.editable, this.#random, this.#made)
    })
  }

  /** Opens the site, and makes pages public again. */
  open(): Promise<void> {
    return openSite(this.editable)
  }

  /** @throws Error if the database or PHP fails */
  async make(edit: AnyEdit): Promise<void> {
    if ('calls' in edit) await this.#wordpress.ask('calls', edit.calls)
    else await makeEdit(this.editable, edit)
    const kind = kindOf(edit)
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1)
  }

  /** How many edits of each kind were made. */
  get figures(): string {
    const counts = [...this.#counts].sort(([, a], [, b]) => b - a)
    return counts.map(([kind, count]) => `${count} ${kind}`).join(', ')
  }
}

function kindOf(edit: AnyEdit): string {
  if ('calls' in edit) return edit.kind
  const [kind, first] = edit
  return kind === 'option' ? `option ${first}` : kind
}
