import { Command } from 'commander'
import type { Db } from '../../db/database.ts'
import { findFramePages } from '../../frames/frame-pages.ts'
import { presentFrame } from '../../frames/present-frame.ts'
import { readFrame } from '../../frames/read-frame.ts'
import { readSiteGraph } from '../../frames/read-graph.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { CliContext } from '../cli-context.ts'
import { getSite, type SiteRef, siteOption } from '../sites/site-options.ts'
import { jsonLine, textForOutput } from '../terminal.ts'
import { withServices } from '../with-services.ts'
import { getFrameName } from './site-frames.ts'

type ShowOptions = { readonly site: SiteRef; readonly json?: true }

/** `frames show <ref>`: prints the markup of a frame. */
export function showFrameCommand(context: CliContext): Command {
  return new Command('show')
    .description('print the markup of a frame, byte for byte if the output is a file or a pipe')
    .argument('<ref>', 'its slug or id')
    .addOption(siteOption().makeOptionMandatory())
    .option('--json', 'print all properties, as GET /frames/{ref} does')
    .action((ref: string, options: ShowOptions) =>
      withServices(context, async (services) => {
        const site = await getSite(services, options.site)
        process.stdout.write(await showFrame(services.db, site, ref, options))
      }),
    )
}

async function showFrame(db: Db, site: Site, ref: string, { json }: ShowOptions): Promise<string> {
  const graph = await readSiteGraph(db, site)
  const { id, slug } = getFrameName(graph.registry, site, ref)
  const {
    record: { html },
    meta,
  } = await readFrame(db, site, { id, slug })
  if (!json) return textForOutput(html)
  const pages = await findFramePages(db, site, id)
  const referencedBy = graph.embeddersOf([id]).map((frame) => frame.slug)
  const frame = presentFrame({ id, slug, meta, graph, pages })
  return jsonLine({ ...frame, html, referenced_by: referencedBy })
}
