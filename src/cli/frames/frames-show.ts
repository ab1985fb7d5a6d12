import { Command } from 'commander'
import type { Db } from '../../db/database.ts'
import { findFramePages } from '../../frames/frame-pages.ts'
import { presentFrame } from '../../frames/present-frame.ts'
import { readFrame } from '../../frames/read-frame.ts'
import { readSiteGraph } from '../../frames/read-graph.ts'
import type { Moment } from '../../history/read-history.ts'
import { findThingAt, readState } from '../../restore/thing-at.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { type CliContext, CommandError } from '../cli-context.ts'
import { atOption } from '../history/history-options.ts'
import { getSite, type SiteRef, siteOption } from '../sites/site-options.ts'
import { jsonLine, textForOutput } from '../terminal.ts'
import { withServices } from '../with-services.ts'
import { getFrameName } from './site-frames.ts'

type ShowOptions = { readonly site: SiteRef; readonly at?: Moment; readonly json?: true }

/** `frames show <ref>`: prints the markup of a frame. */
export function showFrameCommand(context: CliContext): Command {
  return new Command('show')
    .description('print the markup of a frame, byte for byte if the output is a file or a pipe')
    .argument('<ref>', 'its slug or id')
    .addOption(siteOption().makeOptionMandatory())
    .addOption(atOption())
    .option('--json', 'print all properties, as GET /frames/{ref} does')
    .action((ref: string, options: ShowOptions) =>
      withServices(context, async (services) => {
        const site = await getSite(services, options.site)
        const { at } = options
        process.stdout.write(
          at
            ? await showFormerFrame(services.db, site, ref, { ...options, at })
            : await showFrame(services.db, site, ref, options),
        )
      }),
    )
}

/** @throws CommandError if there was no such frame, or the history no longer has its markup */
async function showFormerFrame(
  db: Db,
  site: Site,
  ref: string,
  { at, json }: ShowOptions & { readonly at: Moment },
): Promise<string> {
  const current = (await readSiteGraph(db, site)).registry.find(ref)?.id
  const found = await findThingAt(db, site, { kind: 'frame', ref, current }, at)
  if (!found) throw new CommandError(`At that time, site ${site.blogId} had no frame "${ref}".`)
  const { id, entry } = found
  if (!entry) return showFrame(db, site, id, json ? { json } : {})
  const state = await readState(db, site, entry)
  if (state?.content === undefined)
    throw new CommandError(`The history no longer has the markup of entry ${entry.id}.`)
  return json
    ? jsonLine({ id, ...state.fields, html: state.content, entry: entry.id })
    : textForOutput(state.content)
}

async function showFrame(
  db: Db,
  site: Site,
  ref: string,
  { json }: Pick<ShowOptions, 'json'>,
): Promise<string> {
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
