import { Command } from 'commander'
import type { CliContext } from '../cli-context.ts'
import { addWriteOptions, type ContentWriteOptions, runWrite } from '../content-write.ts'
import { deleteFrameEndpoint } from '../endpoints.ts'
import { examples } from '../examples.ts'
import { describeChange, describeDeletion, readImpact } from './frame-impact.ts'

type DeleteOptions = ContentWriteOptions & { readonly bake: boolean }

/** `frames delete <ref>`: deletes a frame, and asks before on a terminal. */
export function deleteFrameCommand(context: CliContext): Command {
  const command = new Command('delete')
    .argument('<ref>', 'its slug or id')
    .option('--no-bake', 'build nothing now')
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      examples(
        'wp-frames frames delete old-footer --site 2 --dry-run',
        'wp-frames frames delete old-footer --site 2 --yes',
      ),
    )
  return addWriteOptions(command, 'DELETE /site/<id>/frames/<ref>').action(
    (ref: string, options: DeleteOptions) =>
      runWrite(context, options, deleteFrameEndpoint, async (service, site) => {
        const impact = await readImpact(service, site, ref)
        return {
          params: { ref },
          body: { bake: options.bake },
          question: `Delete the frame "${impact.slug}"?`,
          touches: [...describeDeletion(impact), ...describeChange(impact)],
          describe: ({ deleted, warnings }) => [
            `The frame "${deleted.slug}" was deleted.`,
            ...warnings,
          ],
        }
      }),
  )
}
