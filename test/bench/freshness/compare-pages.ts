import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { BenchDatabase } from '../setup/open-database.ts'
import { startService } from '../setup/start-service.ts'
import { Undo } from '../setup/undo.ts'
import type { MeasuredSite } from './measured-site.ts'

const SAMPLE = 100

/**
 * Compares copies with the pages that a second service without static copies renders. The first one must have no work.
 * @returns a sentence for each difference
 */
export async function comparePages(
  database: BenchDatabase,
  folder: string,
  sites: readonly MeasuredSite[],
): Promise<string[]> {
  const undo = new Undo()
  const differences: string[] = []
  try {
    const second = await startService(database, folder, undo, {
      name: 'second',
      env: { STATIC_DIR: '' },
    })
    const { origin } = new URL(second.frontUrl)
    for (const site of sites)
      for (const page of site.sample(SAMPLE)) {
        const html = await get(origin, site.addressOf(page))
        if (html !== contentOf(site.fileOf(page)))
          differences.push(`the copy of ${site.addressOf(page).href} is not what is rendered`)
      }
  } finally {
    await undo.run()
  }
  return differences
}

/** Requests a page by its address from a server that has another one; undefined if there is no such page. */
function get(origin: string, { pathname, host }: URL): Promise<string | undefined> {
  return new Promise((answered, failed) => {
    const sent = request(`${origin}${pathname}`, { headers: { host } }, async (response) => {
      const body = await text(response)
      answered(response.statusCode === 200 ? body : undefined)
    })
    sent.once('error', failed)
    sent.end()
  })
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
