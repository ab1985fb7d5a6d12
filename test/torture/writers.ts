import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { serveWordPress, type WordPressServer } from '../../compat/setup/serve-wordpress.ts'
import { observe, SHARED_MENU } from './support/facts.ts'
import { OptionHistory } from './support/option-history.ts'
import { preparePhpWordPress } from './support/php-wordpress.ts'
import { PhpWriter } from './support/php-writer.ts'
import { type Service, startService } from './support/service.ts'
import { Tally } from './support/tally.ts'
import { tornState } from './support/torn-state.ts'
import {
  createTortureFixture,
  makeAccount,
  type TortureFixture,
} from './support/torture-fixture.ts'
import { Writers } from './support/writers.ts'
import type { Trial } from './trial.ts'

const PROCESSES = 4
const LASTS_MS = { short: 5_000, full: 45_000 }
const ACCOUNTS = { service: 'service', php: 'wordpress' }

/** PHP overwrites whole options with values that it read before. The history of the options shows which writes of the service it has undone. */
export const writers: Trial = {
  name: 'writers',
  tries:
    'four processes of the service and a PHP WordPress write menus and theme mods of one site at once',
  async run({ short, folder, seed }) {
    const root = await preparePhpWordPress()
    const fixture = await createTortureFixture(folder, { durable: false })
    const databaseUrl = await makeAccount(fixture, ACCOUNTS.service)
    const services: Service[] = []
    let wordpress: WordPressServer | undefined
    try {
      for (let index = 0; index < PROCESSES; index += 1)
        services.push(await startService({ databaseUrl, staticDir: fixture.staticDir }))
      const urls = services.map(({ apiUrl }) => apiUrl)
      const ours = await Writers.prepare(fixture, urls, { seed, parts: 0, writes: 'menus' })
      const phpUrl = await makeAccount(fixture, ACCOUNTS.php)
      wordpress = await serveWordPress(root, phpUrl, join(folder, 'php.log'))
      const php = new PhpWriter(wordpress.url, await menuId(fixture))
      const history = await OptionHistory.record(fixture)
      const tally = new Tally()
      const faults: string[] = []

      let isOver = false
      const phpWriting = php.writeUntil(() => isOver)
      const writing = ours.writeUntil(({ kind, answer }) => {
        faults.push(...tally.count(kind, answer))
        return !isOver
      })
      await sleep(short ? LASTS_MS.short : LASTS_MS.full)
      isOver = true
      await Promise.all([phpWriting, writing])

      // PHP updates the count of a menu's items without a lock; the next write corrects it.
      const caller = ours.all[0]?.caller
      await caller?.call('POST', `/menus/${SHARED_MENU}/items`, { url: '/', title: 'the last' })
      const { facts } = await observe(fixture.db, fixture.site)
      const replayed = await history.replay({ ours: ACCOUNTS.service, theirs: ACCOUNTS.php })
      faults.push(...replayed.faults, ...(await php.lost(facts)))
      for (const { location, facts: known } of ours.all) {
        const acknowledged = known.get(`location ${location}`)
        const seen = [
          ...(replayed.menusByLocation.get(location) ?? []),
          facts.get(`location ${location}`),
        ]
        if (!seen.includes(acknowledged))
          faults.push(`${acknowledged} was never assigned to ${location}, as was acknowledged`)
      }
      // PHP may have changed the locations last. The replay of the history has checked them.
      const isOfLocations = (fault: string) => /^location |finds location_/.test(fault)
      const rest = [...(await ours.settle()), ...(await tornState(fixture))]
      faults.push(...rest.filter((fault) => !isOfLocations(fault)))
      return {
        figures: {
          ...tally.figures(),
          'writes of PHP': php.figures,
          'writes of shared options': replayed.figures,
        },
        faults,
      }
    } finally {
      for (const service of services) await service.kill()
      await wordpress?.stop()
      await fixture.close()
    }
  },
}

async function menuId({ db, site }: TortureFixture): Promise<number> {
  const menu = await db.sql(site.tables.terms).where({ slug: SHARED_MENU }).first('term_id')
  return menu.term_id
}
