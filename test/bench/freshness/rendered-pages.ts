import { statSync } from 'node:fs'
import { TITLE_EDIT } from './edits/page-edits.ts'
import { type EditGauge, measureKind, untilSettled } from './measure-edit.ts'
import type { MeasuredSite } from './measured-site.ts'

/** What one edit of the title of a page that no other page shows has caused. */
export type RenderedPages = {
  readonly edits: number
  /** Copies whose files were replaced, for each edit. */
  readonly files: number
  /** Pages rendered for each edit, by the metrics of the service; undefined if it does not count them. */
  readonly rendered: number | undefined
}

const EDITS = 5
const METRIC = /^wp_frames_pages_rendered_total(?:\{[^}]*\})? ([\d.e+]+)$/gm

/**
 * Edits titles one after the other and counts the pages that the service renders.
 * @throws Error if a copy does not show its title in time
 */
export async function countRenderedPages(
  gauge: EditGauge,
  site: MeasuredSite,
  metricsUrl: string,
): Promise<RenderedPages> {
  const before = { rendered: await readCounter(metricsUrl), files: identitiesOf(site) }
  for (let edit = 0; edit < EDITS; edit += 1) {
    const isInTime = await measureKind(gauge, site, TITLE_EDIT, () => {})
    if (!isInTime) throw new Error('a title was too late')
    await untilSettled(gauge.db, { limitMs: gauge.limitMs })
  }
  const rendered = await readCounter(metricsUrl)
  const replaced = identitiesOf(site).filter((file, at) => file !== before.files[at])
  return {
    edits: EDITS,
    files: replaced.length / EDITS,
    rendered:
      rendered === undefined || before.rendered === undefined
        ? undefined
        : (rendered - before.rendered) / EDITS,
  }
}

/** A text for each copy of the site that changes when its file is replaced. */
function identitiesOf(site: MeasuredSite): string[] {
  return site.pages.map((page) => {
    const stats = statSync(site.fileOf(page), { throwIfNoEntry: false })
    return stats ? `${stats.ino} ${stats.mtimeMs}` : ''
  })
}

async function readCounter(url: string): Promise<number | undefined> {
  const text = await (await fetch(url)).text()
  const samples = [...text.matchAll(METRIC)].map(([, value]) => Number(value))
  return samples.length > 0 ? samples.reduce((sum, value) => sum + value, 0) : undefined
}
