import { Command } from 'commander'
import type { CliContext } from '../cli-context.ts'
import { addWriteOptions, type ContentWriteOptions, runWrite } from '../content-write.ts'
import { assignFrameEndpoint } from '../endpoints.ts'
import { examples } from '../examples.ts'

type AssignOptions = ContentWriteOptions & { readonly clear?: true; readonly bake: boolean }

/** `frames assign <ref> <page>`: shows a frame on a page, or with `--clear` no frame. */
export function assignFrameCommand(context: CliContext): Command {
  const command = new Command('assign')
    .argument('<ref>', 'the slug or id of the frame')
    .argument('<page>', 'the id, slug or path of the page')
    .option('--clear', 'remove the frame from the page; asks on a terminal')
    .option('--no-bake', 'build nothing now')
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      examples(
        'wp-frames frames assign landing about-us/team --site 2',
        'wp-frames frames assign landing about-us/team --clear --site 2 --dry-run',
      ),
    )
  return addWriteOptions(command, 'POST /site/<id>/frames/<ref>/assign').action(
    (ref: string, page: string, { clear, bake, ...options }: AssignOptions) =>
      runWrite(context, options, assignFrameEndpoint, async () => ({
        params: { ref },
        body: { page: /^\d+$/.test(page) ? Number(page) : page, clear, bake },
        question: clear ? `Remove the frame from the page ${page}?` : undefined,
        describe: ({ frame, page: { id, url }, static: copy }) => [
          clear
            ? `The page ${url} (${id}) has no frame any more.`
            : `The page ${url} (${id}) has the frame "${frame.slug}".`,
          ...(copy && !copy.published && !clear ? [`It has no static copy: ${copy.message}`] : []),
        ],
      })),
  )
}
