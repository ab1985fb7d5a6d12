import { Command } from 'commander'
import { readRegistry } from '../../frames/registry.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { Change } from '../../work/change.ts'
import { recordChange } from '../../work/record-work.ts'
import { workOn } from '../../work/work.ts'
import type { CliContext, CliServices } from '../cli-context.ts'
import { examples } from '../examples.ts'
import { runOverSites, type SiteReport, type SiteRun } from '../sites/run-over-sites.ts'
import { addSiteOptions, type SiteOptions } from '../sites/site-options.ts'
import { type EffectsSummary, summarizeEffects } from '../summarize-effects.ts'
import { pluralize, sanitizeForTerminal } from '../terminal.ts'
import { withServices } from '../with-services.ts'
import { getFrameName } from './site-frames.ts'

type BakeOptions = SiteOptions & { readonly pages?: true }

/** `frames bake [ref...]`: bakes stale frames and publishes their pages. */
export function bakeFramesCommand(context: CliContext): Command {
  const command = new Command('bake')
    .argument('[ref...]', 'their slugs or ids; all frames if omitted')
    .option('--pages', 'also check pages that were unpublished or moved in wp-admin')
    .addHelpText(
      'after',
      examples('wp-frames frames bake --network', 'wp-frames frames bake site-header --site 2'),
    )
  return addSiteOptions(command, 'frames').action((refs: string[], options: BakeOptions) =>
    withServices(context, (services) =>
      runOverSites(services, options, (site, run) => bakeSite(services, site, run, refs, options)),
    ),
  )
}

/** `id` and `slug` are null for the step of `--pages`, which belongs to no frame. */
type BakeStep = {
  readonly id: string | null
  readonly slug: string | null
  readonly change: Change
}

async function bakeSite(
  { db, executor }: CliServices,
  site: Site,
  { signal, progress }: SiteRun,
  refs: readonly string[],
  options: BakeOptions,
): Promise<SiteReport> {
  const registry = await readRegistry(db, site)
  const names =
    refs.length > 0 ? refs.map((ref) => getFrameName(registry, site, ref)) : registry.all()
  const steps: BakeStep[] = names.map(({ id, slug }) => ({
    id,
    slug,
    change: { bake: true, work: workOn('frame', [id]), frame: id },
  }))
  if (options.pages)
    steps.push({ id: null, slug: null, change: { bake: true, work: workOn('pages') } })
  progress.expect(steps.length)
  const done: (Omit<BakeStep, 'change'> & EffectsSummary)[] = []
  for (const { id, slug, change } of steps) {
    if (signal.aborted) break
    const recorded = await db.write({ site: { blogId: site.blogId } }, (tx) =>
      recordChange(tx, site, change),
    )
    done.push({ id, slug, ...summarizeEffects(await executor.apply(site, recorded)) })
    progress.tick()
  }
  return reportOnBake(done, steps.length)
}

function reportOnBake(
  done: readonly (Omit<BakeStep, 'change'> & EffectsSummary)[],
  total: number,
): SiteReport {
  const baked = done.reduce((sum, { bake, rebaked }) => sum + rebaked + Number(bake === 'baked'), 0)
  const pages = done.reduce((sum, built) => sum + built.pages, 0)
  const failures = done.flatMap((built) => built.failures)
  const outcome = [
    ...(done.length < total ? [`${done.length} of ${total} done`] : []),
    `${pluralize(baked, 'frame')} baked, ${pluralize(pages, 'static copy', 'static copies')} changed`,
    ...(failures.length > 0 ? [pluralize(failures.length, 'failure')] : []),
  ].join('; ')
  const lines = done.flatMap(({ slug, warnings, failures }) =>
    [...warnings, ...failures].map((text) => `${slug ?? 'pages'}: ${text}\n`),
  )
  return {
    state: done.length < total ? 'stopped' : failures.length > 0 ? 'failed' : 'done',
    outcome,
    detail: sanitizeForTerminal(lines.join('')),
    data: { frames: done },
  }
}
