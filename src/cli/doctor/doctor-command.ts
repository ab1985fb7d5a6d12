import type { Command } from 'commander'
import { describeAddress } from '../../db/connection.ts'
import { forEachBounded } from '../../host/concurrency/for-each.ts'
import type { CheckCode } from '../../network/doctor/check-codes.ts'
import {
  checkInfrastructure,
  examineNetwork,
  examineSite,
  isNetworkReadable,
} from '../../network/doctor/examine.ts'
import type { DoctorServices, Finding } from '../../network/doctor/finding.ts'
import { fixNetwork, fixSite } from '../../network/doctor/fix.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { CliCommand } from '../cli-command.ts'
import { type CliContext, type CliServices, CommandError, INTERRUPTED } from '../cli-context.ts'
import { withInterruptSignal } from '../signals.ts'
import { findSite } from '../sites/find-sites.ts'
import { getSite } from '../sites/get-site.ts'
import { ProgressBar } from '../sites/progress-bar.ts'
import { sitesAtOnce } from '../sites/run-over-sites.ts'
import { addOptionalSiteChoice, answerOption, type SiteOptions } from '../sites/site-options.ts'
import { confirm, jsonLine, pluralize, sanitizeForTerminal } from '../terminal.ts'
import {
  addEnvironmentOption,
  type EnvironmentOptions,
  getDatabase,
  type Service,
  withService,
} from '../with-service.ts'
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
  }

/** `doctor`: checks sites or the network, and with `--fix` applies the safe fixes. */
export function doctorCommand(context: CliContext): Command {
  const command = new CliCommand('doctor')
    .option('--fix', 'apply the fixes that are safe, after showing them; needs --site or --network')
    .option('--yes', 'apply them without confirmation')
    .option('--dry-run', 'show what --fix would do')
    .addOption(answerOption('GET /site/<id>/findings'))
    .examples(
      'wp-frames doctor',
      'wp-frames doctor --site 2 --fix',
      'wp-frames doctor --network --fix --yes',
    )
  return addEnvironmentOption(addOptionalSiteChoice(command)).action((options: DoctorOptions) => {
    if (options.fix && options.site === undefined && !options.network)
      command.error('error: --fix needs --site or --network')
    const work = (service: Service): Promise<void> =>
      service.database
        ? withInterruptSignal((signal) => runDoctor(getDatabase(service), options, signal))
        : showFindings(service, options)
    return withService(context, options, work, { tables: false })
  })
}

/**
 * Prints what a service finds on one of its sites, over HTTP.
 * @throws CommandError for what needs the database, and if there are errors
 */
async function showFindings(
  service: Service,
  { site: ref, fix, dryRun, json }: DoctorOptions,
): Promise<void> {
  if (ref === undefined || fix || dryRun) return void getDatabase(service)
  const site = await findSite(service.client, ref)
  const answer = await service.client.listFindings({ site_id: site.blogId })
  const findings = answer.findings.map(
    ({ check, fix_hint: fixHint, fixed_by: fixedBy, about, ...finding }) => ({
      ...finding,
      check: check as CheckCode,
      fixHint,
      fixedBy,
      ...(about && { about }),
      fix: undefined,
      site: site.blogId,
    }),
  )
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
  const { feedDatabaseUrl: feedUrl, suspectVariables } = config
  const settings = { feedUrl, suspectVariables }
  const doctor = { db, globals, executor, copies, ...settings, now: () => new Date() }
  const examine = async (): Promise<Examination> => {
    const examination = await examineRequestedSites(services, doctor, options, signal)
    if (!signal.aborted) return examination
    throw new CommandError('Stopped before the end. Fixes that were applied remain.', INTERRUPTED)
  }
  const before = await examine()
  if (!options.json)
    print(`${describeAddress(config.databaseUrl ?? '')}\n${formatFindings(before)}`)
  const isFixed = await fixIfRequested(services, doctor, before, options, signal)
  const after = isFixed ? await examine() : before
  printResult(after, options, isFixed ? findResolved(before, after) : undefined)
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

/** Checks the infrastructure, then the requested site, or all sites if none is named. Stops if the infrastructure cannot be used. */
async function examineRequestedSites(
  services: CliServices,
  doctor: DoctorServices,
  options: SiteOptions,
  signal: AbortSignal,
): Promise<Examination> {
  if (options.site === undefined) return examineWithProgress(services, doctor, signal)
  const infrastructure = await checkInfrastructure(doctor)
  if (!isNetworkReadable(infrastructure)) return { sites: [], findings: infrastructure }
  const site = await getSite(services, options.site)
  return { sites: [site], findings: [...infrastructure, ...(await examineSite(doctor, site))] }
}

async function examineWithProgress(
  services: CliServices,
  doctor: DoctorServices,
  signal: AbortSignal,
): Promise<Examination> {
  let sites: readonly Site[] = []
  let bar: ProgressBar | undefined
  const onSite = (site: Site, all: readonly Site[]): (() => void) => {
    sites = all
    bar ??= new ProgressBar(all.length)
    bar.begin(site)
    return () => bar?.finish()
  }
  try {
    const options = { signal, sitesAtOnce: sitesAtOnce(services), onSite }
    return { findings: await examineNetwork(doctor, options), sites }
  } finally {
    bar?.stop()
  }
}

/**
 * Applies the fixes of each site that has one, and of the network.
 * @throws the first error of a fix, when the fixes of the other sites have been applied
 */
async function fixSites(
  services: CliServices,
  doctor: DoctorServices,
  { sites, findings }: Examination,
  { network }: SiteOptions,
  signal: AbortSignal,
): Promise<void> {
  const ids = new Set(findings.filter(({ fix }) => fix).map(({ site }) => site))
  const fixable = sites.filter(({ blogId }) => ids.has(blogId))
  const bar = new ProgressBar(fixable.length)
  const errors: unknown[] = []
  try {
    await forEachBounded(fixable, sitesAtOnce(services), async (site) => {
      if (signal.aborted) return
      bar.begin(site)
      await fixSite(doctor, site, { signal }).catch((error) => errors.push(error))
      bar.finish()
    })
    if (network && !signal.aborted) await fixNetwork(doctor, { signal })
  } finally {
    bar.stop()
  }
  if (errors.length > 0) throw errors[0]
}
