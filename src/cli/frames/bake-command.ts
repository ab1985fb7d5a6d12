import type { Command } from 'commander'
import type { Client } from '#client'
import { CliCommand } from '../cli-command.ts'
import type { CliContext } from '../cli-context.ts'
import { describeEffects } from '../content-write.ts'
import { findSites } from '../sites/find-sites.ts'
import { runOnSites, type SiteReport, type SiteRun } from '../sites/run-over-sites.ts'
import { type AddressedSite, addSiteOptions, type SiteOptions } from '../sites/site-options.ts'
import { pluralize, sanitizeForTerminal } from '../terminal.ts'
import { atService } from '../with-service.ts'

type BakeOptions = SiteOptions & { readonly pages?: true }

/** `frames bake [ref...]`: bakes stale frames and publishes their pages. */
export function bakeFramesCommand(context: CliContext): Command {
  const command = new CliCommand('bake')
    .argument('[ref...]', 'their slugs or ids; all frames if omitted')
    .option('--pages', 'also check pages that were unpublished or moved in wp-admin')
    .examples('wp-frames frames bake --network', 'wp-frames frames bake site-header --site 2')
  addSiteOptions(command, 'frames')
  return atService(context, command, async (service, refs: string[], options: BakeOptions) => {
    const { client } = service
    const sites = await findSites(client, options)
    await runOnSites(service, sites, options, (site, run) =>
      bakeSite(client, site, run, refs, options),
    )
  })
}

/** The answers to the bakes of frames, one after the other. */
async function bakeSite(
  client: Client,
  site: AddressedSite,
  { signal, progress }: SiteRun,
  refs: readonly string[],
  options: BakeOptions,
): Promise<SiteReport> {
  const site_id = site.blogId
  const names =
    refs.length > 0 ? refs : (await client.listFrames({ site_id })).frames.map(({ id }) => id)
  const steps = names.length + (options.pages ? 1 : 0)
  progress.expect(steps)
  const frames: object[] = []
  const lines: string[] = []
  const failures: string[] = []
  let baked = 0
  for (const ref of names) {
    if (signal.aborted) break
    const { site_id: _, warnings, ...answer } = await client.rebakeFrame({ site_id, ref })
    const { frame, bake, rebaked } = answer
    const found = describeEffects(answer)
    const own = bake?.status === 'ok' ? bake.response : { baked: false, warnings: [] }
    frames.push(answer)
    baked += (rebaked?.baked ?? 0) + Number(own.baked)
    failures.push(...found.failures)
    lines.push(
      ...[...warnings, ...own.warnings, ...found.failures].map(
        (text) => `${frame.slug}: ${text}\n`,
      ),
    )
    progress.tick()
  }
  if (options.pages && !signal.aborted) {
    const found = await checkPages(client, site_id)
    failures.push(...found)
    lines.push(...found.map((text) => `pages: ${text}\n`))
    progress.tick()
  }
  const isStopped = signal.aborted
  return {
    state: isStopped ? 'stopped' : failures.length > 0 ? 'failed' : 'done',
    outcome: [
      ...(isStopped ? [`${frames.length} of ${steps} done`] : []),
      `${pluralize(baked, 'frame')} baked`,
      ...(failures.length > 0 ? [pluralize(failures.length, 'failure')] : []),
    ].join('; '),
    detail: sanitizeForTerminal(lines.join('')),
    data: { frames },
  }
}

/** Builds the frames that show pages, and the copies of pages that others have changed. @returns what failed */
async function checkPages(client: Client, site_id: number): Promise<readonly string[]> {
  const failures: string[] = []
  for (;;) {
    const answer = await client.rebakeFrames({ site_id, body: { pages: true } })
    if (!('rebaked' in answer)) return failures
    failures.push(...describeEffects(answer).failures)
    if ((answer.rebaked.skipped ?? []).length === 0) return failures
  }
}
