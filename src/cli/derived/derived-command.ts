import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import { parseTime } from '../../content/restore/moment.ts'
import { parseUnchangedText } from '../changed-by-shell.ts'
import { CliCommand } from '../cli-command.ts'
import type { CliContext } from '../cli-context.ts'
import { addListOptions } from '../list-output.ts'
import { numberBy, parseId } from '../parse-id.ts'
import { addSiteChoice, parseSiteRef, siteOption } from '../sites/site-options.ts'
import { addEnvironmentOption } from '../with-service.ts'
import { argumentOf, type DerivedCommand, type DerivedField, SHOWN_TYPES } from './description.ts'
import { type DerivedOptions, listOf, runDerived, withSiteId } from './run-derived.ts'

/** The command of an endpoint. */
export function derivedCommand(context: CliContext, derived: DerivedCommand): Command {
  const { name, args, options, list, question, isWrite, isContentWrite, request } = derived
  const command = new CliCommand(name.split(' ').at(-1))
  for (const arg of args)
    command.addArgument(
      new Argument(argumentOf(arg), arg.description).argParser((text) => parse(arg, text)),
    )
  addSite(command, derived)
  for (const field of options) command.addOption(optionOf(field))
  if (isWrite) {
    const what = isContentWrite ? 'show the changes as a diff' : 'check it'
    command.option('--dry-run', `${what}, and write nothing`)
  }
  if (isContentWrite) command.option('--user <login>', 'the author of what is written')
  if (question !== undefined) command.option('--yes', 'do not ask')
  const more = isContentWrite ? '; with --dry-run what POST /site/<id>/batch answers' : ''
  if (list) {
    if (list.limit !== undefined)
      command.addOption(
        new Option('--limit <number>', `at most so many`)
          .argParser(parseNumber)
          .default(list.limit),
      )
    const isOfSites = derived.site !== undefined && derived.network === undefined
    const several = isOfSites
      ? '; for several sites a list, also with site_id, address, state and outcome'
      : ''
    const shown = listOf(isOfSites ? withSiteId(list) : list)
    addListOptions(command, shown, `what ${request} answers${several}`)
  } else command.option('--json', `print what ${request} answers${more}`)
  command.examples(...derived.examples)
  return addEnvironmentOption(command).action((...given: readonly unknown[]) => {
    const values = given.slice(0, args.length)
    const chosen = given[args.length] as DerivedOptions
    if (list && chosen.network && chosen.format === 'ids')
      command.error('error: --format ids needs --site, because an id is of one site')
    return runDerived(context, derived, values, chosen)
  })
}

function addSite(command: Command, { site, network, caller, list }: DerivedCommand): void {
  if (site === undefined || caller !== undefined) return
  if (network !== undefined)
    command.addOption(siteOption('one site [the whole network]').conflicts('network'))
  else if (list) addSiteChoice(command)
  else command.addOption(siteOption().makeOptionMandatory())
}

function optionOf(field: DerivedField): Option {
  const { flag, type, isOn, isOfSites, choices, isRequired } = field
  const form = isOfSites ? ' (ids or addresses as with --site, separated by commas)' : ''
  const description = field.description + form
  if (type === 'flag') return new Option(isOn ? `--no-${flag}` : `--${flag}`, description)
  const option = new Option(`--${flag} <${SHOWN_TYPES[type]}>`, description)
  if (choices && type === 'text') option.choices(choices)
  else option.argParser((text) => parse(field, text))
  return isRequired ? option.makeOptionMandatory() : option
}

/** @throws InvalidArgumentError */
function parse(field: DerivedField, text: string): unknown {
  const { type, isOfSites, choices } = field
  if (type === 'number') return parseNumber(text)
  if (type === 'id') return parseId(text)
  if (type === 'boolean') return parseBoolean(text)
  if (type === 'time') return timeIn(text)
  if (type === 'text or number') return /^\d{1,15}$/.test(text) ? Number(text) : text
  if (type !== 'list') return parseUnchangedText(text)
  return text.split(',').map((part) => {
    const value = part.trim()
    if (choices && !choices.includes(value))
      throw new InvalidArgumentError(`Use some of ${choices.join(', ')}, separated by commas.`)
    return isOfSites ? parseSiteRef(value) : value
  })
}

/** @throws InvalidArgumentError */
function parseBoolean(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  throw new InvalidArgumentError('Use true or false.')
}

const LIFETIME_UNITS_MS = new Map([
  ['d', 86_400_000],
  ['h', 3_600_000],
])

/** The time after a number of days or hours, such as `90d`; a time as it is. @throws InvalidArgumentError */
function timeIn(text: string): string {
  const [, count, unit = ''] = /^(\d{1,5})([dh])$/.exec(text) ?? []
  const lifetime = Number(count) * (LIFETIME_UNITS_MS.get(unit) ?? 0)
  if (lifetime > 0) return new Date(Date.now() + lifetime).toISOString()
  if (parseTime(text) !== undefined) return text
  throw new InvalidArgumentError(
    'Use a number of days or hours such as 90d or 12h, or a time such as 2027-01-01T00:00:00Z.',
  )
}

const parseNumber = numberBy(/^\d{1,15}$/, 'Use a number.')
