import type { Command } from 'commander'
import { CliCommand } from '../../cli-command.ts'
import type { CliContext } from '../../cli-context.ts'
import { addListOptions, formatRows, isWholeAnswer, type List } from '../../list-output.ts'
import { atFolder, type FrameDifference } from './compare-folder.ts'

const DIFFERENCES: List<Omit<FrameDifference, 'local'>> = {
  id: 'slug',
  shown: ['file', 'folder', 'site'],
  others: ['slug', 'id'],
}

/** `frames status <folder>`: lists the frames that differ between a pulled folder and the site, and what was done on each side. */
export function frameStatusCommand(context: CliContext): Command {
  const command = new CliCommand('status').examples(
    'wp-frames frames status shop',
    'wp-frames frames status shop --exit-code',
    'wp-frames frames status shop --site net.test/shop --format csv',
  )
  addListOptions(command, DIFFERENCES, '[{slug, id, file, folder, site}]')
  return atFolder(context, command, async ({ differences }, _, options) => {
    const rows = differences.map(({ local: _, id = null, ...one }) => ({ ...one, id }))
    const isList = options.format !== undefined || isWholeAnswer(options)
    const list = formatRows<object>(DIFFERENCES as List<object>, rows, rows, options)
    process.stdout.write(isList || rows.length > 0 ? list : '')
    if (!isList) process.stdout.write(`${summarize(differences)}\n`)
  })
}

function summarize(differences: readonly FrameDifference[]): string {
  if (differences.length === 0) return 'The folder and the site are equal.'
  const count = (isCounted: (one: FrameDifference) => boolean): number =>
    differences.filter(isCounted).length
  const parts: readonly (readonly [number, string])[] = [
    [count(({ folder, site }) => folder !== '' && site === ''), 'to push'],
    [count(({ folder, site }) => folder === '' && site !== ''), 'to pull'],
    [count(({ folder, site }) => folder !== '' && site !== ''), 'in conflict'],
  ]
  return parts
    .filter(([number]) => number > 0)
    .map(([number, what]) => `${number} ${what}`)
    .join(', ')
}
