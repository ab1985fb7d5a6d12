import { Command } from 'commander'
import type { CliContext } from '../cli-context.ts'
import { exportMenusCommand } from './menus-export.ts'
import { importMenuCommand } from './menus-import.ts'
import { listMenusCommand } from './menus-list.ts'

/** `menus list|export|import`: menus, and files of them. */
export function menusCommand(context: CliContext): Command {
  const menus = new Command('menus').description('menus, and files of them')
  for (const command of [listMenusCommand, exportMenusCommand, importMenuCommand]) {
    menus.addCommand(command(context))
  }
  return menus
}
