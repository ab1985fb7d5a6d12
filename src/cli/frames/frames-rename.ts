import { Command } from 'commander'
import type { CliContext } from '../cli-context.ts'
import { addWriteOptions, type ContentWriteOptions, runWrite } from '../content-write.ts'
import { renameFrameEndpoint } from '../endpoints.ts'
import { examples } from '../examples.ts'
import { describeChange, readImpact } from './frame-impact.ts'

type RenameOptions = ContentWriteOptions & { readonly bake: boolean }

/** `frames rename <ref> <slug>`: gives a frame another slug, also in the frames that embed it. */
export function renameFrameCommand(context: CliContext): Command {
  const command = new Command('rename')
    .argument('<ref>', 'its slug or id')
    .argument('<slug>', 'its new slug')
    .option('--no-bake', 'build nothing now')
    .addHelpText(
      'after',
      examples(
        'wp-frames frames rename site-header top-header --site 2 --dry-run',
        'wp-frames frames rename site-header top-header --site 2 --user alice',
      ),
    )
  return addWriteOptions(command, 'PATCH /site/<id>/frames/<ref>').action(
    (ref: string, slug: string, options: RenameOptions) =>
      runWrite(context, options, renameFrameEndpoint, async (service, site) => {
        const impact = await readImpact(service, site, ref)
        return {
          params: { ref },
          body: { slug, bake: options.bake },
          touches: describeChange(impact),
          describe: ({ renamed, warnings = [] }) => [
            `The frame "${renamed.from}" is "${renamed.to}" now.`,
            ...(renamed.frames_updated.length > 0
              ? [`Written again, because they embed it: ${renamed.frames_updated.join(', ')}.`]
              : []),
            ...warnings,
          ],
        }
      }),
  )
}
