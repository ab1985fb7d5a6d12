import { Command } from 'commander'
import type { CliContext } from '../../cli-context.ts'
import { addWriteOptions, type ContentWriteOptions, runWrite } from '../../content-write.ts'
import { deleteMenuItemEndpoint } from '../../endpoints.ts'
import { examples } from '../../examples.ts'
import { pluralize } from '../../terminal.ts'
import { menuArgument, parseItemId } from './item-arguments.ts'

/** `menus items remove <menu> <item>`: deletes an item with the items below it, and asks before on a terminal. */
export function removeItemCommand(context: CliContext): Command {
  const command = new Command('remove')
    .description('delete an item with the items below it; asks on a terminal')
    .addArgument(menuArgument())
    .argument('<item>', 'its id', parseItemId)
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      examples(
        'wp-frames menus items remove ~header 41 --site 2 --dry-run',
        'wp-frames menus items remove main-menu 41 --site 2 --yes',
      ),
    )
  return addWriteOptions(command, 'DELETE /site/<id>/menus/<menu>/items/<item>').action(
    (ref: string, id: number, options: ContentWriteOptions) =>
      runWrite(context, options, deleteMenuItemEndpoint, async () => ({
        params: { ref, id: String(id) },
        question: `Delete the item ${id}, with all items below it?`,
        describe: ({ menu, removed, total }) => [
          `${pluralize(removed.length, 'item')} of the menu "${menu.name}" deleted: ${removed.join(', ')}. It has ${pluralize(total, 'item')} now.`,
        ],
      })),
  )
}
