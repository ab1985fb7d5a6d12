import type { Answer, Caller } from './caller.ts'
import { type Facts, type Observation, SHARED_MENU } from './facts.ts'
import { embedding } from './frame-markup.ts'
import { Ledger } from './ledger.ts'
import type { Random } from './random.ts'
import { nextWrite, type Write, type WriterState } from './writes.ts'

export type WriterOptions = Omit<WriterState, 'facts' | 'itemIds' | 'random'> & {
  readonly caller: Caller
  readonly random: Random
}

/** A write that was sent, and its answer. */
export type Sent = { readonly kind: string; readonly answer: Answer }

/** Sends writes one after the other without a pause, to things that no other writer writes to. */
export class Writer {
  readonly #options: WriterOptions
  readonly #ledger: Ledger
  readonly #itemIds = new Map<string, number>()
  #count = 0

  constructor(options: WriterOptions) {
    const { name, page, location } = options
    this.#options = options
    const own = new Set([`page ${page}`, `location ${location}`, `branch ${name}`])
    this.#ledger = new Ledger(
      (fact) => own.has(fact) || new RegExp(`^(?:frame|menu) ${name}-`).test(fact),
    )
  }

  /** Id of the page that it assigns to frames. */
  get page(): number {
    return this.#options.page
  }

  /** The only location to which it assigns menus. */
  get location(): string {
    return this.#options.location
  }

  /** The facts that were acknowledged so far. */
  get facts(): Facts {
    return this.#ledger.facts
  }

  get caller(): Caller {
    return this.#options.caller
  }

  /** The acknowledged frame of its page. */
  get frame(): { readonly slug: string; readonly html: string } | undefined {
    const { facts } = this.#ledger
    const slug = facts.get(`page ${this.page}`)
    return slug === undefined ? undefined : { slug, html: facts.get(`frame ${slug}`) ?? '' }
  }

  /** Creates what the writer needs. @throws Error if the service refuses */
  async prepare(): Promise<void> {
    const { name, parts, location } = this.#options
    const added = await this.#sure('POST', `/menus/${SHARED_MENU}/items`, { url: '/', title: name })
    this.#itemIds.set(name, added.item?.id ?? 0)
    await this.#sure('POST', '/menus', { name: `${name} main`, location })
    if (parts === 0) return
    await this.#sure('POST', '/frames', { slug: `${name}-hub`, html: 'hub', bake: false })
    for (let part = 0; part < parts; part += 1) {
      const html = embedding(`${name}-hub`, part)
      await this.#sure('POST', '/frames', { slug: `${name}-part-${part}`, html, bake: false })
    }
  }

  async #sure(method: string, path: string, body: object) {
    const answer = await this.caller.call(method, path, body)
    if (answer.status === 200 || answer.status === 201) return answer.body
    throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
  }

  /** Sends one write and records it in the ledger. */
  async write(): Promise<Sent> {
    this.#count += 1
    const { facts } = this.#ledger
    const write = nextWrite({ ...this.#options, facts, itemIds: this.#itemIds }, this.#count)
    this.#ledger.open(write.changes)
    const answer = await this.caller.call(write.method, write.path, write.body)
    this.#enter(write, answer)
    return { kind: write.kind, answer }
  }

  #enter(write: Write, answer: Answer): void {
    if (answer.status === undefined || answer.status >= 500) return
    if (answer.status >= 400) {
      this.#ledger.drop()
      return
    }
    this.#ledger.store()
    if (write.adds !== undefined) this.#itemIds.set(write.adds, answer.body.item?.id ?? 0)
  }

  /** Compares the ledger with the stored facts; see `Ledger`. */
  settle({ facts, itemIds }: Observation): string[] {
    for (const [title, id] of itemIds) this.#itemIds.set(title, id)
    return this.#ledger.settle(facts)
  }
}
