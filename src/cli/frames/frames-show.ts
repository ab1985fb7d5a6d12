import { Command } from 'commander'
import { siteAddress } from '../../wordpress/network/site.ts'
import { type Service, saying } from '../call-endpoint.ts'
import type { CliContext } from '../cli-context.ts'
import { getFrameEndpoint } from '../endpoints.ts'
import { examples } from '../examples.ts'
import { atOption } from '../history/history-options.ts'
import { type SiteRef, siteOption } from '../sites/site-options.ts'
import { jsonLine, textForOutput } from '../terminal.ts'
import { addEnvironmentOption, type EnvironmentOptions, withService } from '../with-service.ts'
import { noFrameSentence } from './site-frames.ts'

type ShowFrameOptions = EnvironmentOptions & {
  readonly site: SiteRef
  readonly at?: string
  readonly json?: true
}

/** `frames show <ref>`: prints the markup of a frame. */
export function showFrameCommand(context: CliContext): Command {
  const command = new Command('show')
    .argument('<ref>', 'its slug or id')
    .addOption(siteOption().makeOptionMandatory())
    .addOption(atOption())
    .option('--json', 'print what GET /site/<id>/frames/<ref> answers')
    .addHelpText(
      'after',
      examples(
        'wp-frames frames show site-header --site 2',
        'wp-frames frames show site-header --site 2 --at "2026-03-01 09:30:00" > header.html',
      ),
    )
  return addEnvironmentOption(command).action((ref: string, options: ShowFrameOptions) => {
    const show = async (service: Service): Promise<void> => {
      const { at, json } = options
      const site = await service.getSite(options.site)
      const sentence = at
        ? `At that time, ${siteAddress(site)} had no frame "${ref}".`
        : noFrameSentence(site, ref)
      const input = { params: { ref }, query: { at } }
      const answer = await service
        .callSite(site, getFrameEndpoint, input)
        .catch(saying('frame_not_found', sentence))
      process.stdout.write(json ? jsonLine(answer) : textForOutput(answer.frame.html))
    }
    // Only the history is in a table of the service.
    return withService(context, options, show, { needsTables: options.at !== undefined })
  })
}
