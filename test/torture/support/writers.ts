import { Caller } from './caller.ts'
import { type Observation, observe, SHARED_MENU } from './facts.ts'
import { Random } from './random.ts'
import { SHOP, type TortureFixture } from './torture-fixture.ts'
import { type Sent, Writer } from './writer.ts'
import type { WriterState } from './writes.ts'

/** Ids of published pages of the shop, in its four languages. */
const PAGES = [7, 8, 9, 10]
const LOCATIONS = ['header', 'footer_1', 'footer_2', 'footer_3']

export type WritersOptions = {
  readonly seed: number
  /** Number of frames that embed the hub of the first writer. */
  readonly parts: number
  /** [everything] */
  readonly writes?: WriterState['writes']
}

/** Four writers that share a site, a menu, and the options with the assignments of menus to locations. */
export class Writers {
  readonly all: readonly Writer[]
  readonly #fixture: TortureFixture

  /** @param urls addresses of instances of the service, distributed over the writers */
  static async prepare(
    fixture: TortureFixture,
    urls: readonly string[],
    options: WritersOptions,
  ): Promise<Writers> {
    const caller = new Caller('setting up', {
      token: fixture.token,
      blogId: SHOP,
      url: urls[0] ?? '',
    })
    await caller.call('POST', '/menus', { name: SHARED_MENU })
    const writers = new Writers(fixture, options)
    writers.callAt(urls)
    for (const writer of writers.all) await writer.prepare()
    await writers.settle()
    return writers
  }

  private constructor(
    fixture: TortureFixture,
    { seed, parts, writes = 'everything' }: WritersOptions,
  ) {
    this.#fixture = fixture
    this.all = LOCATIONS.map(
      (location, index) =>
        new Writer({
          name: `w${index}`,
          page: PAGES[index] ?? 0,
          location,
          writes,
          parts: index === 0 ? parts : 0,
          caller: new Caller(`w${index}`, { token: fixture.token, blogId: SHOP }),
          random: new Random(seed * LOCATIONS.length + index),
        }),
    )
  }

  /** Changes the addresses that they call. */
  callAt(urls: readonly string[]): void {
    for (const [index, writer] of this.all.entries())
      writer.caller.url = urls[index % urls.length] ?? ''
  }

  /**
   * All writers write without a pause until they are stopped.
   * @param onAnswer receives each answer, and returns whether its writer continues
   */
  async writeUntil(
    onAnswer: (sent: Sent, writer: Writer) => boolean | Promise<boolean>,
  ): Promise<void> {
    await Promise.all(
      this.all.map(async (writer) => {
        while (await onAnswer(await writer.write(), writer)) {}
      }),
    )
  }

  /** Compares their ledgers with the stored facts; a sentence for each difference. No writer may be active. */
  async settle(db = this.#fixture.db): Promise<string[]> {
    const observation: Observation = await observe(db, this.#fixture.site)
    return this.all.flatMap((writer) => writer.settle(observation))
  }
}
