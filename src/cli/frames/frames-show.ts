import { Command } from 'commander'
import { getFrameEndpoint } from '../../api/frames/get-frame.endpoint.ts'
import { siteAddress } from '../../wordpress/network/site.ts'
import { callSite, saying } from '../call-endpoint.ts'
import type { CliContext } from '../cli-context.ts'
import { atOption } from '../history/history-options.ts'
import { getSite, type SiteRef, siteOption } from '../sites/site-options.ts'
import { jsonLine, textForOutput } from '../terminal.ts'
import { withServices } from '../with-services.ts'
import { noFrameSentence } from './site-frames.ts'

type ShowFrameOptions = { readonly site: SiteRef; readonly at?: string; readonly json?: true }

/** `frames show <ref>`: prints the markup of a frame. */
export function showFrameCommand(context: CliContext): Command {
  return new Command('show')
    .description('print the markup of a frame, byte for byte if the output is a file or a pipe')
    .argument('<ref>', 'its slug or id')
    .addOption(siteOption().makeOptionMandatory())
    .addOption(atOption())
    .option('--json', 'print what GET /site/<id>/frames/<ref> answers')
    .action((ref: string, { site: name, at, json }: ShowFrameOptions) =>
      withServices(context, async (services) => {
        const site = await getSite(services, name)
        const sentence = at
          ? `At that time, ${siteAddress(site)} had no frame "${ref}".`
          : noFrameSentence(site, ref)
        const answer = await callSite(services, site, getFrameEndpoint, {
          params: { ref },
          query: { at },
        }).catch(saying('frame_not_found', sentence))
        process.stdout.write(json ? jsonLine(answer) : textForOutput(answer.frame.html))
      }),
    )
}
