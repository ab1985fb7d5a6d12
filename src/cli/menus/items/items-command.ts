import { Command } from 'commander'
import type { CliContext } from '../../cli-context.ts'
import { addItemCommand } from './items-add.ts'
import { moveItemCommand } from './items-move.ts'
import { removeItemCommand } from './items-remove.ts'

/** `menus items add|move|remove` */
export function menuItemsCommand(context: CliContext): Command {
  const items = new Command('items')
  for (const command of [addItemCommand, moveItemCommand, removeItemCommand])
    items.addCommand(command(context))
  return items
}
