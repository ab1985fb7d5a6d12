import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { checkCommand } from './check-command.ts'
import { type CliContext, CommandError } from './cli-context.ts'
import { compareCommand } from './compare/compare-command.ts'
import { completionCommand } from './completion/completion-command.ts'
import { copiesCommand } from './copies/copies-command.ts'
import { describeError } from './describe-error.ts'
import { doctorCommand } from './doctor/doctor-command.ts'
import { diffFramesCommand } from './frames/compare/frames-diff.ts'
import { frameStatusCommand } from './frames/compare/frames-status.ts'
import { assignFrameCommand } from './frames/frames-assign.ts'
import { bakeFramesCommand } from './frames/frames-bake.ts'
import { deleteFrameCommand } from './frames/frames-delete.ts'
import { devCommand } from './frames/frames-dev.ts'
import { listFramesCommand } from './frames/frames-list.ts'
import { pullFramesCommand } from './frames/frames-pull.ts'
import { pushFramesCommand } from './frames/frames-push.ts'
import { renameFrameCommand } from './frames/frames-rename.ts'
import { replaceInFramesCommand } from './frames/frames-replace.ts'
import { showFrameCommand } from './frames/frames-show.ts'
import { grantsCommand } from './grants-command.ts'
import { auditCommand } from './history/audit-command.ts'
import { changesCommand } from './history/changes-command.ts'
import { diffCommand } from './history/diff-command.ts'
import { historyCommand } from './history/history-command.ts'
import { restoreCommand } from './history/restore-command.ts'
import { mcpCommand } from './mcp-command.ts'
import { menuItemsCommand } from './menus/items/items-command.ts'
import { exportMenusCommand } from './menus/menus-export.ts'
import { importMenuCommand } from './menus/menus-import.ts'
import { listMenusCommand } from './menus/menus-list.ts'
import { showMenuCommand } from './menus/menus-show.ts'
import { migrateCommand } from './migrate-command.ts'
import { applyCommand } from './network/apply-command.ts'
import { driftCommand } from './network/drift-command.ts'
import { networkCommand } from './network/network-command.ts'
import { initCommand } from './network/network-init.ts'
import { planCommand } from './network/plan-command.ts'
import { rollbackCommand } from './network/rollback-command.ts'
import { runsCommand } from './network/runs-command.ts'
import { apiCommand } from './remote/api-command.ts'
import { loginCommand } from './remote/login-command.ts'
import { logoutCommand } from './remote/logout-command.ts'
import { serveCommand } from './serve-command.ts'
import { sitesCommand } from './sites/sites-command.ts'
import { sanitizeForTerminal } from './terminal.ts'
import { importTokensCommand } from './tokens/token-import.ts'
import { issueTokenCommand } from './tokens/token-issue.ts'
import { listTokensCommand } from './tokens/token-list.ts'
import { reissueTokenCommand } from './tokens/token-reissue.ts'
import { revokeTokenCommand } from './tokens/token-revoke.ts'
import { workCommand } from './work/work-command.ts'

const EXIT_FAILED = 1
const EXIT_WRONG_USAGE = 2

/**
 * Runs the command with these arguments.
 * @returns the exit code: 0 for success, 1 for a failure, 2 for wrong usage, 130 after Ctrl-C
 */
export const runCli = (argv: readonly string[], context: CliContext): Promise<number> =>
  runProgram(createProgram(context), argv)

/** The program with all of its commands. */
export function createProgram(context: CliContext): Command {
  const program = new Command('wp-frames')
    .description('Frames and menus of a WordPress multisite network over HTTP')
    .version(readVersion())
  for (const command of [
    serveCommand,
    migrateCommand,
    grantsCommand,
    tokenCommand,
    sitesCommand,
    networkCommand,
    copiesCommand,
    framesCommand,
    doctorCommand,
    menusCommand,
    initCommand,
    checkCommand,
    planCommand,
    applyCommand,
    rollbackCommand,
    driftCommand,
    runsCommand,
    workCommand,
    historyCommand,
    changesCommand,
    diffCommand,
    restoreCommand,
    auditCommand,
    compareCommand,
    mcpCommand,
    apiCommand,
    loginCommand,
    logoutCommand,
    completionCommand,
  ]) {
    program.addCommand(command(context))
  }
  return program
}

/** Runs a program of the command parser; prints a failure as one sentence and returns the exit code. */
export async function runProgram(program: Command, argv: readonly string[]): Promise<number> {
  throwUsageErrors(program)
  try {
    await program.parseAsync(argv)
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_WRONG_USAGE
    process.stderr.write(`${sanitizeForTerminal(describeError(error))}\n`)
    return error instanceof CommandError ? error.exitCode : EXIT_FAILED
  }
}

/** Reads package.json, which is at the same relative path from the sources and from the build. */
function readVersion(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version
}

/** Makes commander throw instead of exiting with code 1. Subcommands do not inherit this setting, so it is set on each. */
function throwUsageErrors(command: Command): void {
  command.exitOverride()
  for (const subcommand of command.commands) throwUsageErrors(subcommand)
}

/** `token issue|import|list|revoke|reissue` */
function tokenCommand(context: CliContext): Command {
  const token = new Command('token').description('manage API tokens')
  for (const command of [
    issueTokenCommand,
    importTokensCommand,
    listTokensCommand,
    revokeTokenCommand,
    reissueTokenCommand,
  ]) {
    token.addCommand(command(context))
  }
  return token
}

/** `frames list|show|pull|dev|status|diff|push|bake|replace|rename|assign|delete` */
function framesCommand(context: CliContext): Command {
  const frames = new Command('frames').description(
    'list, show, bake and edit frames, and exchange them with a folder',
  )
  for (const command of [
    listFramesCommand,
    showFrameCommand,
    pullFramesCommand,
    devCommand,
    frameStatusCommand,
    diffFramesCommand,
    pushFramesCommand,
    bakeFramesCommand,
    replaceInFramesCommand,
    renameFrameCommand,
    assignFrameCommand,
    deleteFrameCommand,
  ]) {
    frames.addCommand(command(context))
  }
  return frames
}

/** `menus list|show|export|import|items` */
function menusCommand(context: CliContext): Command {
  const menus = new Command('menus').description(
    'list and edit menus, and exchange them with files',
  )
  for (const command of [
    listMenusCommand,
    showMenuCommand,
    exportMenusCommand,
    importMenuCommand,
    menuItemsCommand,
  ]) {
    menus.addCommand(command(context))
  }
  return menus
}
