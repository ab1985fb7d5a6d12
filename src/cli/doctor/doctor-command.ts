import { Command } from 'commander'
import type { DoctorServices, Finding } from '../../doctor/finding.ts'
import { type CliContext, type CliServices, CommandError, INTERRUPTED } from '../cli-context.ts'
import { withInterruptSignal } from '../signals.ts'
import { addSiteOptions, type SiteOptions } from '../sites/site-options.ts'
import { confirm, jsonLine, pluralize, sanitizeForTerminal } from '../terminal.ts'
import { withServices } from '../with-services.ts'
import { examineRequestedSites, fixSites } from './examine-and-fix.ts'
import {
  type Examination,
  formatFindings,
  formatPlan,
  presentSites,
  summarizeFindings,
} from './format-findings.ts'

type DoctorOptions = SiteOptions & {
  readonly fix?: true
  readonly yes?: true
  readonly dryRun?: true
}

/** `doctor`: looks for faults, and with `--fix` mends what is safe. */
export function doctorCommand(context: CliContext): Command {
  const command = new Command('doctor')
    .description(
      'look for what is wrong with sites, and mend what is safe; writes nothing without --fix',
    )
    .option('--fix', 'mend what can be mended without knowing what was meant, after showing it')
    .option('--yes', 'mend without asking')
    .option('--dry-run', 'show what --fix would do')
  return addSiteOptions(command, 'findings').action((options: DoctorOptions) =>
    withServices(context, (services) =>
      withInterruptSignal((signal) => runDoctor(services, options, signal)),
    ),
  )
}

/** @throws CommandError where errors are left (exit code 1), or the run was stopped before its end (130) */
async function runDoctor(
  services: CliServices,
  options: DoctorOptions,
  signal: AbortSignal,
): Promise<void> {
  const { db, globals, executor, config } = services
  const doctor = { db, globals, executor, staticDir: config.staticDir, now: () => new Date() }
  const look = async (): Promise<Examination> => {
    const examination = await examineRequestedSites(services, doctor, options, signal)
    if (!signal.aborted) return examination
    throw new CommandError('Stopped before the end. What was mended stays mended.', INTERRUPTED)
  }
  const before = await look()
  if (!options.json) print(formatFindings(before))
  const isMended = await fixIfRequested(doctor, before, options, signal)
  const after = isMended ? await look() : before
  printResult(after, options, isMended ? findResolved(before, after) : undefined)
}

/** Shows what is going to be done, and does it if that is wanted. */
async function fixIfRequested(
  doctor: DoctorServices,
  examination: Examination,
  options: DoctorOptions,
  signal: AbortSignal,
): Promise<boolean> {
  const { fix, yes, dryRun, json } = options
  if (!fix && !dryRun) return false
  const plan = formatPlan(examination.findings)
  const shown = plan ? `--fix does this:\n${plan}` : 'There is nothing to mend.\n'
  if (!json) print(shown)
  if (!fix || dryRun || !plan) return false
  // Standard output is a program's then; who is asked reads standard error.
  const question = `${json ? sanitizeForTerminal(shown) : ''}Mend this, and build what shows it?`
  if (!yes && !(await confirm(question))) return false
  await fixSites(doctor, examination, options, signal)
  return true
}

function printResult(
  examination: Examination,
  { json, network }: DoctorOptions,
  mended: readonly Finding[] | undefined,
): void {
  const { sites, findings } = examination
  const summary = `${pluralize(sites.length, 'site')} examined: ${summarizeFindings(findings)}.`
  if (json) {
    const presented = presentSites(examination, mended)
    const whole = network
      ? presented
      : includeNetworkFindings(presented, summarizeFindings(findings))
    process.stdout.write(jsonLine(whole))
  } else {
    if (mended)
      print(`Mended: ${summarizeFindings(mended, 'nothing')}.\n${formatFindings(examination)}`)
    print(`${summary}\n`)
  }
  const errors = findings.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new CommandError(`Not all is well: ${summarizeFindings(errors)}.`)
}

/** Of one site, what was found on the network as well: it stands on that. */
function includeNetworkFindings(
  [network, site]: ReturnType<typeof presentSites>,
  outcome: string,
): object | undefined {
  if (!network || !site) return network
  const state = network.state === 'failed' ? network.state : site.state
  return { ...site, state, outcome, findings: [...network.findings, ...site.findings] }
}

/** Findings name menus and files, whose names may hold anything. */
function print(text: string): void {
  process.stdout.write(sanitizeForTerminal(text))
}

function findResolved(before: Examination, after: Examination): Finding[] {
  const key = ({ site, check, message: what }: Finding) => `${site} ${check} ${what}`
  const left = new Set(after.findings.map(key))
  return before.findings.filter((finding) => !left.has(key(finding)))
}
