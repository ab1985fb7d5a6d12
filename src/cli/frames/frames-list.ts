import { Command } from 'commander'
import { listFramesEndpoint } from '../../api/frames/list-frames.endpoint.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { callSite } from '../call-endpoint.ts'
import type { CliContext, CliServices } from '../cli-context.ts'
import { runOverSites, type SiteReport } from '../sites/run-over-sites.ts'
import { addSiteChoice, answerOption, type SiteOptions } from '../sites/site-options.ts'
import { formatTable, pluralize } from '../terminal.ts'
import { withServices } from '../with-services.ts'

const FRAME_COLUMNS = ['slug', 'id', 'bytes', 'pages', 'updated (GMT)', 'by']

/** `frames list`: lists the frames of a site by slug. */
export function listFramesCommand(context: CliContext): Command {
  return addSiteChoice(new Command('list'))
    .description('list the frames')
    .addOption(answerOption('GET /site/<id>/frames'))
    .action((options: SiteOptions) =>
      withServices(context, (services) =>
        runOverSites(services, options, (site) => listFrames(services, site)),
      ),
    )
}

async function listFrames(services: CliServices, site: Site): Promise<SiteReport> {
  const answer = await callSite(services, site, listFramesEndpoint)
  const rows = answer.frames.map(
    ({ slug, id, bytes, pages = [], updated_at_gmt, updated_by }): string[] => [
      slug,
      id,
      String(bytes),
      String(pages.length),
      updated_at_gmt,
      `user ${updated_by}`,
    ],
  )
  return {
    outcome: pluralize(rows.length, 'frame'),
    ...(rows.length > 0 ? { detail: formatTable([FRAME_COLUMNS, ...rows]) } : {}),
    answer,
  }
}
