import type { Command } from 'commander'
import { batchRequest } from '#client'
import { CliCommand } from '../cli-command.ts'
import { type CliContext, CommandError } from '../cli-context.ts'
import { type ContentWriteOptions, runWrite } from '../content-write.ts'
import { numberBy, parseItemId } from '../parse-id.ts'
import { siteOption } from '../sites/site-options.ts'
import { addEnvironmentOption } from '../with-service.ts'

type MoveOptions = ContentWriteOptions & { readonly parent?: number; readonly position?: number }

/** `menus items move <menu> <item>`: moves an item with the items below it, in one transaction. */
export function moveItemCommand(context: CliContext): Command {
  const command = new CliCommand('move')
    .argument('<menu>', 'its id, slug or name, or a location, as in ~header')
    .argument('<item>', 'its id', parseItemId)
    .option('--parent <id>', 'below this item; 0 for the top level', (text) =>
      text === '0' ? 0 : parseItemId(text),
    )
    .option('--position <number>', '1 for the first one of its level [the last one]', parsePosition)
    .addOption(siteOption().makeOptionMandatory())
    .option('--dry-run', 'show the changes as a diff, and write nothing')
    .option('--user <login>', 'the author of what is written')
    .option(
      '--json',
      'print what POST /site/<id>/batch answers; with --dry-run what POST /site/<id>/batch answers',
    )
    .examples(
      'wp-frames menus items move ~header 41 --position 1 --site 2',
      'wp-frames menus items move main-menu 41 --parent 40 --site 2 --dry-run',
    )
  return addEnvironmentOption(command).action(
    (menuRef: string, id: number, { parent, position, ...options }: MoveOptions) => {
      if (parent === undefined && position === undefined)
        command.error('error: name a level with --parent, or a position with --position')
      return runWrite(context, options, 'runBatch', async (client, site) => {
        const { menu, items } = await client.getMenu({ site_id: site.blogId, ref: menuRef })
        const item = items.find((one) => one.id === id)
        if (!item)
          throw new CommandError(
            `The menu "${menu.name}" has no item ${id}. "wp-frames menus show ${menu.id} --site ${site.blogId}" lists its items.`,
          )
        const ref = String(menu.id)
        const level = parent ?? item.parent
        const others = items.filter((one) => one.parent === level && one.id !== id)
        const before = others.slice(0, (position ?? others.length + 1) - 1).map((one) => one.id)
        const requests = [
          ...(parent === undefined
            ? []
            : [batchRequest('updateMenuItem', { ref, id, body: { parent } })]),
          ...(position === undefined
            ? []
            : [
                batchRequest('reorderMenuItems', {
                  ref,
                  body: { parent: level, order: [...before, id] },
                }),
              ]),
        ]
        const where = level === 0 ? 'on the top level' : `below the item ${level}`
        return {
          input: { body: { requests } },
          describe: () => [
            `The item ${id} of the menu "${menu.name}" is number ${before.length + 1} ${where} now.`,
          ],
        }
      })
    },
  )
}

const parsePosition = numberBy(/^[1-9]\d{0,5}$/, 'Use a number from 1.')
