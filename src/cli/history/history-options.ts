import { type Command, InvalidArgumentError, Option } from 'commander'
import { MOMENT_FORMATS, parseMoment, parseTime } from '../../content/restore/moment.ts'
import { HISTORY_KINDS, type HistoryKind } from '../../record/history/history-row.ts'
import { parseId } from '../parse-id.ts'

/** The options that `addFilterOptions` adds to a command: the filters of `GET /history`. */
export type FilterOptions = {
  readonly kind?: HistoryKind
  readonly ref?: string
  readonly user?: number
  readonly token?: number
  readonly request?: string
  readonly since?: string
  readonly until?: string
}

/** Adds the filters of the history to a command. */
export function addFilterOptions(command: Command): Command {
  return command
    .addOption(new Option('--kind <kind>', 'only entries of this kind').choices(HISTORY_KINDS))
    .option('--ref <id|name>', 'only entries of the frame, menu, location, page or token')
    .option('--user <id>', 'only what this user wrote', parseId)
    .option('--token <id>', 'only what was written with this token', parseId)
    .option('--request <id>', 'only what this request or command wrote')
    .option('--since <time>', 'only entries from this time on', parseTimeOption)
    .option('--until <time>', 'only entries up to this time', parseTimeOption)
}

/** @throws InvalidArgumentError for a malformed time */
export function parseTimeOption(text: string): string {
  const time = parseTime(text)
  if (time !== undefined) return time
  throw new InvalidArgumentError(
    'Use a time such as 2026-03-01T09:30:00Z or "2026-03-01 09:30:00" (GMT).',
  )
}

/**
 * A moment as it was written: endpoints parse it.
 * @throws InvalidArgumentError for a malformed moment
 */
export function parseMomentOption(text: string): string {
  if (parseMoment(text)) return text
  throw new InvalidArgumentError(`Use ${MOMENT_FORMATS}.`)
}

/** The option `--at` of commands that read. */
export function atOption(): Option {
  return new Option(
    '--at <moment>',
    'as it was then: a time (GMT), or the id of an entry of the history',
  ).argParser(parseMomentOption)
}
