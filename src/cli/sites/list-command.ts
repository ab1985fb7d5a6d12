import { Command } from 'commander'
import type { Endpoint } from '../../api/endpoint.ts'
import { siteAddress } from '../../wordpress/network/site.ts'
import type { CliContext } from '../cli-context.ts'
import type { Answers, CalledEndpoint } from '../endpoints.ts'
import { examples } from '../examples.ts'
import {
  addListOptions,
  formatRows,
  isWholeAnswer,
  type List,
  type ListOptions,
} from '../list-output.ts'
import { pluralize, sanitizeForTerminal } from '../terminal.ts'
import { addEnvironmentOption, type EnvironmentOptions, withService } from '../with-service.ts'
import { runOnSites, type SiteReport, type SiteResult } from './run-over-sites.ts'
import { addSiteChoice, type SiteOptions } from './site-options.ts'

/** A list of the things of one kind that sites have. */
type SiteList<Answer extends object, Row extends object> = {
  /** `frame`. */
  readonly noun: string
  readonly endpoint: CalledEndpoint<Endpoint & Answers<Answer>>
  readonly fields: List<Row>
  rowsOf(answer: Answer): readonly Row[]
  readonly examples: readonly string[]
}

type SiteListOptions = SiteOptions & ListOptions & EnvironmentOptions

/** `frames list`, `menus list`: lists what sites have, as an endpoint answers. */
export function siteListCommand<Answer extends object, Row extends object>(
  context: CliContext,
  { noun, endpoint, fields, rowsOf, ...texts }: SiteList<Answer, Row>,
): Command {
  const list = { ...fields, others: [...(fields.others ?? []), 'site_id'] }
  const command = addSiteChoice(new Command('list')).addHelpText(
    'after',
    examples(...texts.examples),
  )
  addListOptions(
    command,
    list,
    `what GET /site/<id>${endpoint.path} answers; for several sites a list, also with site_id, address, state and outcome`,
  )
  return addEnvironmentOption(command).action((options: SiteListOptions) => {
    if (options.network && options.format === 'ids')
      command.error('error: --format ids needs --site, because an id is of one site')
    return withService(
      context,
      options,
      async (service) => {
        const sites = await service.findSites(options)
        const isTable = (options.format ?? 'table') === 'table' && !options.json
        const work = async (site: (typeof sites)[number]): Promise<SiteReport> => {
          const answer = await service.callSite(site, endpoint)
          const rows = rowsOf(answer).map((row) => ({ ...row, site_id: site.blogId }))
          const hasDetail = isTable && rows.length > 0
          return {
            outcome: pluralize(rows.length, noun),
            ...(hasDetail ? { detail: formatRows(list, rows, answer, options) } : {}),
            answer,
            rows,
          }
        }
        const format = isTable || isWholeAnswer(options) ? undefined : formatRowsOf(list, options)
        const json = isTable ? {} : { json: true as const }
        await runOnSites(service, sites, { ...options, ...json }, work, format)
      },
      { needsTables: false },
    )
  })
}

/** Prints the rows of all sites as one list. */
const formatRowsOf =
  <Row extends object>(list: List<Row>, options: SiteListOptions) =>
  (results: readonly SiteResult[]): string => {
    const { network, fields = network ? ['site_id', ...list.shown] : list.shown } = options
    if (network) process.stderr.write(formatFailures(results))
    const rows = results.flatMap((result) => (result.rows ?? []) as Row[])
    return formatRows(list, rows, undefined, { ...options, fields })
  }

const formatFailures = (results: readonly SiteResult[]): string =>
  results
    .filter(({ state }) => state !== 'done')
    .map(({ site, outcome }) => sanitizeForTerminal(`${siteAddress(site)}: ${outcome}\n`))
    .join('')
