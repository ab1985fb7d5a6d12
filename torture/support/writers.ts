import { Caller } from './caller.ts'
import { type Observation, observe, SHARED_MENU } from './facts.ts'
import { Random } from './random.ts'
import { SHOP, type Stage } from './stage.ts'
import { type Sent, Writer } from './writer.ts'
import type { Estate } from './writes.ts'

/** Published pages of the shop, in its four languages. */
const PAGES = [7, 8, 9, 10]
const LOCATIONS = ['header', 'footer_1', 'footer_2', 'footer_3']

export type WritersOptions = {
  readonly seed: number
  /** How many frames embed the hub of the first writer. */
  readonly parts: number
  /** [everything] */
  readonly writes?: Estate['writes']
}

/** Four writers who share a site, a menu, and the options in which locations stand. */
export class Writers {
  readonly all: readonly Writer[]
  readonly #stage: Stage

  /** @param urls of instances of the service, given out to the writers in turn */
  static async prepare(
    stage: Stage,
    urls: readonly string[],
    options: WritersOptions,
  ): Promise<Writers> {
    const caller = new Caller('setting up', {
      token: stage.token,
      blogId: SHOP,
      url: urls[0] ?? '',
    })
    await caller.call('POST', '/menus', { name: SHARED_MENU })
    const writers = new Writers(stage, options)
    writers.callAt(urls)
    for (const writer of writers.all) await writer.prepare()
    await writers.settle()
    return writers
  }

  private constructor(stage: Stage, { seed, parts, writes = 'everything' }: WritersOptions) {
    this.#stage = stage
    this.all = LOCATIONS.map(
      (location, index) =>
        new Writer({
          name: `w${index}`,
          page: PAGES[index] ?? 0,
          location,
          writes,
          parts: index === 0 ? parts : 0,
          caller: new Caller(`w${index}`, { token: stage.token, blogId: SHOP }),
          random: new Random(seed * LOCATIONS.length + index),
        }),
    )
  }

  /** Where they call from now on. */
  callAt(urls: readonly string[]): void {
    for (const [index, writer] of this.all.entries())
      writer.caller.url = urls[index % urls.length] ?? ''
  }

  /**
   * All write without a pause until they are told to stop.
   * @param heard is told of each answer, and says whether its writer goes on
   */
  async writeUntil(
    heard: (sent: Sent, writer: Writer) => boolean | Promise<boolean>,
  ): Promise<void> {
    await Promise.all(
      this.all.map(async (writer) => {
        while (await heard(await writer.write(), writer)) {}
      }),
    )
  }

  /** Compares their books with what is there; a sentence for each difference. Nobody may be writing. */
  async settle(db = this.#stage.db): Promise<string[]> {
    const observation: Observation = await observe(db, this.#stage.site)
    return this.all.flatMap((writer) => writer.settle(observation))
  }
}
