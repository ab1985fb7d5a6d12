import { Command, Option } from 'commander'
import { decodeName } from '../../../wordpress/formatting/plain-text.ts'
import type { CliContext } from '../../cli-context.ts'
import { addWriteOptions, type ContentWriteOptions, runWrite } from '../../content-write.ts'
import { createMenuItemEndpoint } from '../../endpoints.ts'
import { examples } from '../../examples.ts'
import { menuArgument, parentOption } from './item-arguments.ts'

type AddOptions = ContentWriteOptions & {
  readonly page?: string
  readonly url?: string
  readonly title?: string
  readonly target?: string
  readonly classes?: string
  readonly parent?: number
}

/** `menus items add <menu>`: adds an item at the end of a level. */
export function addItemCommand(context: CliContext): Command {
  const command = new Command('add')
    .description('add an item at the end of a level')
    .addArgument(menuArgument())
    .addOption(new Option('--page <ref>', 'link this page: its id, slug or path').conflicts('url'))
    .option('--url <address>', 'link this address')
    .option('--title <text>', 'by default the title of the page, or the address')
    .option('--target <name>', 'for example _blank')
    .option('--classes <names>', 'CSS classes, separated by spaces')
    .addOption(parentOption())
    .addHelpText(
      'after',
      examples(
        'wp-frames menus items add ~header --page about-us/team --site 2',
        'wp-frames menus items add main-menu --url /contact --title Contact --parent 41 --site 2',
      ),
    )
  return addWriteOptions(command, 'POST /site/<id>/menus/<menu>/items').action(
    (ref: string, options: AddOptions) => {
      const { page, url, title, target, classes, parent } = options
      if (page === undefined && url === undefined)
        command.error('error: name a page with --page, or an address with --url')
      return runWrite(context, options, createMenuItemEndpoint, async () => ({
        params: { ref },
        body: { item: { page, url, title, target, classes }, parent },
        describe: ({ menu, item, total }) => [
          `The menu "${menu.name}" has the item "${decodeName(item.title)}" (${item.id}) now, which links ${item.url}. It has ${total} items.`,
        ],
      }))
    },
  )
}
