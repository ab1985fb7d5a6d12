import { Command } from 'commander'
import type { Db } from '../../db/database.ts'
import { listFramePages } from '../../frames/frame-pages.ts'
import type { IndexedFrame } from '../../frames/graph.ts'
import { presentFrame } from '../../frames/present-frame.ts'
import { readSiteGraph } from '../../frames/read-graph.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { CliContext } from '../cli-context.ts'
import { runOverSites, type SiteReport } from '../sites/run-over-sites.ts'
import { addSiteOptions, type SiteOptions } from '../sites/site-options.ts'
import { formatTable, pluralize } from '../terminal.ts'
import { withServices } from '../with-services.ts'

const FRAME_COLUMNS = ['slug', 'id', 'bytes', 'pages', 'updated (GMT)', 'by']

/** `frames list`: lists the frames of a site by slug. */
export function listFramesCommand(context: CliContext): Command {
  const command = new Command('list').description('list the frames')
  return addSiteOptions(command, 'frames').action((options: SiteOptions) =>
    withServices(context, (services) =>
      runOverSites(services, options, (site) => listFrames(services.db, site)),
    ),
  )
}

async function listFrames(db: Db, site: Site): Promise<SiteReport> {
  const graph = await readSiteGraph(db, site)
  const pages = await listFramePages(db, site)
  const frames = graph.all()
  const rows = frames.map((frame) => frameRow(frame, pages.get(frame.id)?.length ?? 0))
  return {
    outcome: pluralize(frames.length, 'frame'),
    ...(rows.length > 0 ? { detail: formatTable([FRAME_COLUMNS, ...rows]) } : {}),
    data: {
      frames: frames.map((frame) =>
        presentFrame({ ...frame, graph, pages: pages.get(frame.id) ?? [] }),
      ),
    },
  }
}

function frameRow({ slug, id, meta }: IndexedFrame, pages: number): string[] {
  const { bytes, updated_at_gmt, updated_by } = meta
  return [slug, id, String(bytes), String(pages), updated_at_gmt, `user ${updated_by}`]
}
