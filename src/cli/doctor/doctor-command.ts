import { Command } from 'commander'
import { describeAddress } from '../../db/connection.ts'
import type { CheckCode, DoctorServices, Finding } from '../../doctor/finding.ts'
import { getDatabase, type Service } from '../call-endpoint.ts'
import { type CliContext, type CliServices, CommandError, INTERRUPTED } from '../cli-context.ts'
import { listFindingsEndpoint } from '../endpoints.ts'
import { examples } from '../examples.ts'
import { withInterruptSignal } from '../signals.ts'
import { addOptionalSiteChoice, answerOption, type SiteOptions } from '../sites/site-options.ts'
import { confirm, jsonLine, pluralize, sanitizeForTerminal } from '../terminal.ts'
import { addEnvironmentOption, type EnvironmentOptions, withService } from '../with-service.ts'
import { collectBundle } from './bundle/bundle-files.ts'
import { createCleanText } from './bundle/clean-text.ts'
import { readLogLines } from './bundle/log-lines.ts'
import { writeArchive } from './bundle/write-archive.ts'
import { examineRequestedSites, fixSites } from './examine-and-fix.ts'
import {
  type Examination,
  formatFindings,
  formatPlan,
  presentExamination,
  presentExaminations,
  summarizeFindings,
} from './format-findings.ts'

type DoctorOptions = SiteOptions &
  EnvironmentOptions & {
    readonly fix?: true
    readonly yes?: true
    readonly dryRun?: true
    readonly bundle?: string
    readonly log?: string
  }

/** `doctor`: checks sites or the network, and with `--fix` applies the safe fixes. */
export function doctorCommand(context: CliContext): Command {
  const command = new Command('doctor')
    .option('--fix', 'apply the fixes that are safe, after showing them; needs --site or --network')
    .option('--yes', 'apply them without confirmation')
    .option('--dry-run', 'show what --fix would do')
    .option(
      '--bundle <file>',
      'write a tar.gz for a report: versions, settings without secrets, findings, work, metrics, sizes of tables; nothing of the content of sites',
    )
    .option('--log <file>', 'with --bundle: add the last lines of this log; - for standard input')
    .addOption(answerOption('GET /site/<id>/findings'))
    .addHelpText(
      'after',
      examples(
        'wp-frames doctor',
        'wp-frames doctor --site 2 --fix',
        'wp-frames doctor --network --fix --yes',
        'wp-frames doctor --bundle report.tar.gz --log /var/log/wp-frames.log',
      ),
    )
  return addEnvironmentOption(addOptionalSiteChoice(command)).action((options: DoctorOptions) => {
    if (options.fix && options.site === undefined && !options.network)
      command.error('error: --fix needs --site or --network')
    if (options.bundle !== undefined && (options.fix || options.dryRun || options.json))
      command.error('error: --bundle cannot be combined with --fix, --dry-run or --json')
    if (options.log !== undefined && options.bundle === undefined)
      command.error('error: --log needs --bundle')
    const work = (service: Service): Promise<void> =>
      service.database
        ? withInterruptSignal((signal) => runDoctor(getDatabase(service), options, signal))
        : showFindings(service, options)
    return withService(context, options, work, { needsTables: false })
  })
}

/**
 * Prints what a service finds on one of its sites, over HTTP.
 * @throws CommandError for what needs the database, and if there are errors
 */
async function showFindings(
  service: Service,
  { site: ref, fix, dryRun, bundle, json }: DoctorOptions,
): Promise<void> {
  if (ref === undefined || fix || dryRun || bundle) return void getDatabase(service)
  const site = await service.getSite(ref)
  const answer = await service.callSite(site, listFindingsEndpoint)
  const findings = answer.findings.map(({ check, fix_hint: fixHint, ...finding }) => ({
    ...finding,
    check: check as CheckCode,
    fixHint,
    fix: undefined,
    site: site.blogId,
  }))
  if (json) process.stdout.write(jsonLine(answer))
  else print(`${formatFindings({ sites: [site], findings })}${formatTotal(1, findings)}`)
  assertNoErrors(findings)
}

/** @throws CommandError if errors remain (exit code 1) or the run was interrupted (130) */
async function runDoctor(
  services: CliServices,
  options: DoctorOptions,
  signal: AbortSignal,
): Promise<void> {
  const { db, globals, executor, copies, config } = services
  const { feedUrl, suspectVariables } = config
  const settings = { feedUrl, suspectVariables }
  const doctor = { db, globals, executor, copies, ...settings, now: () => new Date() }
  const examine = async (): Promise<Examination> => {
    const examination = await examineRequestedSites(services, doctor, options, signal)
    if (!signal.aborted) return examination
    throw new CommandError('Stopped before the end. Fixes that were applied remain.', INTERRUPTED)
  }
  const before = await examine()
  if (options.bundle !== undefined)
    return writeBundle(services, before, options.bundle, options.log)
  if (!options.json)
    print(`${describeAddress(config.databaseUrl ?? '')}\n${formatFindings(before)}`)
  const isFixed = await fixIfRequested(services, doctor, before, options, signal)
  const after = isFixed ? await examine() : before
  printResult(after, options, isFixed ? findResolved(before, after) : undefined)
}

/** Findings are no reason to fail: they are what the bundle is for. */
async function writeBundle(
  services: CliServices,
  examination: Examination,
  path: string,
  logPath: string | undefined,
): Promise<void> {
  const clean = createCleanText(services.config.secretTexts)
  const log = logPath === undefined ? undefined : await readLogLines(logPath, clean)
  const files = await collectBundle(services, examination, { clean, log, now: new Date() })
  const bytes = await writeArchive(path, files)
  print(
    `${path} has ${Math.ceil(bytes / 1024)} kB in ${pluralize(files.size, 'file')}. It contains no secrets and nothing of the content of sites; its README.txt says what it contains.\n`,
  )
}

/** Shows the fixes, and applies them if that was requested and confirmed. */
async function fixIfRequested(
  services: CliServices,
  doctor: DoctorServices,
  examination: Examination,
  options: DoctorOptions,
  signal: AbortSignal,
): Promise<boolean> {
  const { fix, yes, dryRun, json } = options
  if (!fix && !dryRun) return false
  const plan = formatPlan(examination.findings)
  const nothing =
    examination.findings.length > 0
      ? 'No fix is safe without you: each problem needs your decision.\n'
      : 'There is nothing to fix.\n'
  const shown = plan ? `Fixes:\n${plan}` : nothing
  if (!json) print(shown)
  if (!fix || dryRun || !plan) return false
  // With --json, standard output is for a program, so the operator reads the plan with the question on standard error.
  const question = `${json ? sanitizeForTerminal(shown) : ''}Apply these fixes?`
  if (!yes && !(await confirm(question))) return false
  await fixSites(services, doctor, examination, options, signal)
  return true
}

function printResult(
  examination: Examination,
  { json, site }: DoctorOptions,
  resolved: readonly Finding[] | undefined,
): void {
  const { sites, findings } = examination
  if (json) {
    const present = site === undefined ? presentExaminations : presentExamination
    process.stdout.write(jsonLine(present(examination, resolved)))
  } else {
    if (resolved)
      print(`Fixed: ${summarizeFindings(resolved, 'nothing')}.\n${formatFindings(examination)}`)
    print(formatTotal(sites.length, findings))
  }
  assertNoErrors(findings)
}

const formatTotal = (sites: number, findings: readonly Finding[]): string =>
  `Checked ${pluralize(sites, 'site')}: ${summarizeFindings(findings)}.\n`

/** @throws CommandError */
function assertNoErrors(findings: readonly Finding[]): void {
  const errors = findings.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new CommandError(`Found ${summarizeFindings(errors)}.`)
}

/** Findings contain names of menus and files, which may contain control characters. */
function print(text: string): void {
  process.stdout.write(sanitizeForTerminal(text))
}

function findResolved(before: Examination, after: Examination): Finding[] {
  const key = ({ site, check, message }: Finding) => `${site} ${check} ${message}`
  const remaining = new Set(after.findings.map(key))
  return before.findings.filter((finding) => !remaining.has(key(finding)))
}
