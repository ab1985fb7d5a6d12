/** Ids are unique in each of these. */
export type IdSpace = 'post' | 'term' | 'taxonomy'

/** The largest ids that both sides had before the writes. */
export type IdsBefore = Readonly<Record<IdSpace, number>>

const FRAME_ID = /(?<![0-9a-f])[0-9a-f]{16}(?![0-9a-f])/g

/**
 * Which new ids of wp-frames belong to which new ids of the old endpoint. The sides create the same things with other ids: an id may be compared
 * only after it was translated. Ids from before the writes are the same on both sides.
 */
export class IdBindings {
  readonly #before: IdsBefore
  readonly #numbers: Readonly<Record<IdSpace, Map<number, number>>> = {
    post: new Map(),
    term: new Map(),
    taxonomy: new Map(),
  }
  readonly #taken: Readonly<Record<IdSpace, Set<number>>> = {
    post: new Set(),
    term: new Set(),
    taxonomy: new Set(),
  }
  readonly #frames = new Map<string, string>()
  readonly #framesBefore: ReadonlySet<string>

  constructor(before: IdsBefore, framesBefore: Iterable<string>) {
    this.#before = before
    this.#framesBefore = new Set(framesBefore)
  }

  /** Whether an id is of something that the writes have created. */
  isNew(space: IdSpace, id: number): boolean {
    return id > this.#before[space]
  }

  /**
   * Binds two ids, unless one of both is bound or not new: then a difference remains. A new post of the old endpoint may stand for one that wp-frames has
   * kept: where a tree is replaced, the old endpoint makes all items again. If they are different items, their rows differ.
   */
  bind(space: IdSpace, old: number, ours: number): void {
    const [numbers, taken] = [this.#numbers[space], this.#taken[space]]
    if (!this.isNew(space, old) || taken.has(old)) return
    if (space !== 'post' && (!this.isNew(space, ours) || numbers.has(ours))) return
    numbers.set(ours, old)
    taken.add(old)
  }

  /** Binds new ids that no answer had, in their order: both sides create things in the same order. */
  bindInOrder(space: IdSpace, old: readonly number[], ours: readonly number[]): void {
    const freeOld = old.filter((id) => this.isNew(space, id) && !this.#taken[space].has(id))
    const freeOurs = ours.filter((id) => this.isNew(space, id) && !this.#numbers[space].has(id))
    for (const [index, id] of freeOurs.entries()) {
      const other = freeOld[index]
      if (other !== undefined) this.bind(space, other, id)
    }
  }

  /** The id of the old endpoint for an id of wp-frames. */
  translate(space: IdSpace, id: number): number {
    return this.#numbers[space].get(id) ?? id
  }

  /** The same for the ids of frames in a text. */
  translateText(text: string): string {
    return text.replace(FRAME_ID, (id) => this.#frames.get(id) ?? id)
  }

  /** Binds the ids at the same positions of two answers. */
  bindAnswers(old: unknown, ours: unknown, key = '', parent = ''): void {
    if (Array.isArray(old) && Array.isArray(ours)) {
      for (const [index, one] of old.entries()) this.bindAnswers(one, ours[index], '', key)
      return
    }
    if (isObject(old) && isObject(ours)) {
      for (const [name, value] of Object.entries(old))
        this.bindAnswers(value, ours[name], name, key === '' ? parent : key)
      return
    }
    if (key !== 'id' && key !== 'term_taxonomy_id') return
    if (typeof old === 'string' && typeof ours === 'string') this.#bindFrames(old, ours)
    const space = spaceOf(key, parent)
    if (space && isId(old) && isId(ours)) this.bind(space, Number(old), Number(ours))
  }

  #bindFrames(old: string, ours: string): void {
    const isNewFrame = (id: string) => /^[0-9a-f]{16}$/.test(id) && !this.#framesBefore.has(id)
    if (!isNewFrame(old) || !isNewFrame(ours) || this.#frames.has(ours)) return
    if (![...this.#frames.values()].includes(old)) this.#frames.set(ours, old)
  }

  /** An answer of wp-frames with the ids of the old endpoint. */
  translateAnswer(value: unknown, key = '', parent = '', isInList = false): unknown {
    if (typeof value === 'string') return this.translateText(value)
    if (typeof value === 'number') {
      // The order of an item is a number; a list "order" has ids.
      const space = key === 'order' && !isInList ? undefined : spaceOf(key, parent)
      return space ? this.translate(space, value) : value
    }
    if (Array.isArray(value))
      // The elements of a list of ids have its name.
      return value.map((one) =>
        isObject(one)
          ? this.translateAnswer(one, '', key)
          : this.translateAnswer(one, key, parent, true),
      )
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [
        this.translateText(name),
        this.translateAnswer(one, name, key === '' ? parent : key),
      ]),
    )
  }
}

/** The kind of the id in a field of the contract. `parent` is the name of the field that contains it. */
function spaceOf(key: string, parent: string): IdSpace | undefined {
  if (key === 'term_taxonomy_id') return 'taxonomy'
  if (key === 'id') {
    if (['menu', 'menus', 'deleted'].includes(parent)) return 'term'
    return ['item', 'items', 'children'].includes(parent) ? 'post' : undefined
  }
  if (['parent', 'order', 'appended', 'removed'].includes(key)) return 'post'
  return key === 'from' || key === 'to' ? (parent === 'parent' ? 'post' : undefined) : undefined
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isId = (value: unknown): boolean => /^[1-9]\d{0,15}$/.test(String(value))
