import type { Command } from 'commander'
import { fromMigration } from '../host/load-package.ts'
import type { CliContext } from './cli-context.ts'
import { DERIVED_COMMANDS } from './derived/commands.ts'
import { termOf } from './derived/description.ts'

/** A command, as the help of the program lists it. Its module is loaded when it runs, or its own help is asked for. */
export type CommandEntry = {
  /** Its name, `[options]` if it has any, and its arguments. */
  readonly term: string
  readonly description: string
  /** The heading in the help of the program. */
  readonly group?: string
} & (
  | { readonly load: () => Promise<(context: CliContext) => Command> }
  | { readonly commands: readonly CommandEntry[] }
)

/** The command of an endpoint. */
function derived(name: string): CommandEntry {
  const found = DERIVED_COMMANDS.find((one) => one.name === name)
  if (!found) throw new Error(`No endpoint describes the command "${name}".`)
  return {
    term: termOf(found),
    description: found.summary,
    load: async () => {
      const { derivedCommand } = await import('./derived/derived-command.ts')
      return (context) => derivedCommand(context, found)
    },
  }
}

const command = (
  term: string,
  description: string,
  load: () => Promise<(context: CliContext) => Command>,
): CommandEntry => ({ term, description, load })

/**
 * A group of commands. Those of endpoints come last, unless they are among the others.
 * @param name as in `menus items`
 */
function group(
  name: string,
  description: string,
  placed: readonly CommandEntry[] = [],
): CommandEntry {
  const verbs = new Set(placed.map(({ term }) => term.split(' ')[0]))
  const others = DERIVED_COMMANDS.filter((one) => {
    const [verb = '', ...above] = one.name.split(' ').reverse()
    return above.reverse().join(' ') === name && !verbs.has(verb)
  })
  const commands = [...placed, ...others.map((one) => derived(one.name))]
  return { term: name.split(' ').at(-1) ?? name, description, commands }
}

/** Commands under a heading in the help of the program. */
const under = (heading: string, entries: readonly CommandEntry[]): readonly CommandEntry[] =>
  entries.map((entry) => ({ ...entry, group: heading }))

export const COMMANDS: readonly CommandEntry[] = [
  ...under('Frames and menus:', [
    group('frames', 'list, show, bake and edit frames, and exchange them with a folder', [
      derived('frames list'),
      derived('frames show'),
      command(
        'pull [options] <folder>',
        'write the frames of a site to a folder, or update a folder that was pulled before',
        () => import('./frames/pull-command.ts').then((module) => module.pullFramesCommand),
      ),
      command(
        'dev [options] <folder>',
        "show a site's pages in the browser with the frames of a folder; stores nothing",
        () => import('./frames/dev-command.ts').then((module) => module.devCommand),
      ),
      command(
        'status [options] <folder>',
        'list what was done in a pulled folder, and on its site, since the pull',
        () =>
          import('./frames/compare/frames-status.ts').then((module) => module.frameStatusCommand),
      ),
      command(
        'diff [options] <folder>',
        'show how the frames in a pulled folder differ from those of the site',
        () => import('./frames/compare/frames-diff.ts').then((module) => module.diffFramesCommand),
      ),
      command(
        'push [options] <folder>',
        'send the changes in a folder since it was pulled; new files become new frames',
        () => import('./frames/push-command.ts').then((module) => module.pushFramesCommand),
      ),
      command(
        'bake [options] [ref...]',
        'bake the frames that are stale, and publish their pages',
        () => import('./frames/bake-command.ts').then((module) => module.bakeFramesCommand),
      ),
      command(
        'replace [options] <old> <new>',
        'replace a text in the markup of frames and the addresses of custom links in menus',
        () => import('./frames/replace-command.ts').then((module) => module.replaceInFramesCommand),
      ),
    ]),
    group('menus', 'list and edit menus, and exchange them with files', [
      derived('menus list'),
      command(
        'show [options] <ref>',
        'print the items of a menu as they are stored, now or at a former time',
        () => import('./menus/show-command.ts').then((module) => module.showMenuCommand),
      ),
      command(
        'export [options] [menu...]',
        'print a menu as a tree that identifies pages by their paths, or write menus to files in a folder',
        () => import('./menus/export-command.ts').then((module) => module.exportMenusCommand),
      ),
      command(
        'import [options] <file>',
        'create a menu from a YAML or JSON file that "menus export" wrote',
        () => import('./menus/import-command.ts').then((module) => module.importMenuCommand),
      ),
      group('menus items', 'add, move and remove single items of a menu', [
        derived('menus items add'),
        command(
          'move [options] <menu> <item>',
          'move an item, with the items below it, to another level or position',
          () => import('./menus/move-item-command.ts').then((module) => module.moveItemCommand),
        ),
        derived('menus items remove'),
      ]),
    ]),
  ]),
  ...under('Network as code:', [
    command(
      'init [options] <folder>',
      'write a description of what some sites have to a folder',
      () => import('./network/init-command.ts').then((module) => module.initCommand),
    ),
    command(
      'check [options] <folder>',
      'find mistakes in the frames of a folder, without a database',
      () => import('./check-command.ts').then((module) => module.checkCommand),
    ),
    command(
      'plan [options] <folder>',
      'show what would change so that sites have what a description says',
      () => import('./network/plan-command.ts').then((module) => module.planCommand),
    ),
    command(
      'apply [options] <folder|plan>',
      'change sites so that they have what a description says',
      () => import('./network/apply-command.ts').then((module) => module.applyCommand),
    ),
    command(
      'rollback [options] <run>',
      'roll a run back: restore what it has written to the state before',
      () => import('./network/rollback-command.ts').then((module) => module.rollbackCommand),
    ),
    command(
      'drift [options] [name]',
      'show what was changed since the last apply, and by whom',
      () => import('./network/drift-command.ts').then((module) => module.driftCommand),
    ),
    command('runs [options] [run]', 'list the latest plans and runs, or the sites of one', () =>
      import('./network/runs-command.ts').then((module) => module.runsCommand),
    ),
  ]),
  ...under('History:', [
    derived('history'),
    command(
      'changes [options]',
      'print what changed, a line for each change, oldest first; with --follow also what comes',
      () => import('./history/changes-command.ts').then((module) => module.changesCommand),
    ),
    derived('diff'),
    command(
      'restore [options]',
      'restore one thing, what a request or a token wrote, or everything to a moment',
      () => import('./history/restore-command.ts').then((module) => module.restoreCommand),
    ),
    command('audit [options]', 'export entries of the history, oldest first', () =>
      import('./history/audit-command.ts').then((module) => module.auditCommand),
    ),
  ]),
  ...under('Operation:', [
    command('serve [role]', 'run the API and the front, or one part of the service', () =>
      import('./serve-command.ts').then((module) => module.serveCommand),
    ),
    command('migrate', "create or update the service's own tables", () =>
      import('./migrate-command.ts').then((module) => module.migrateCommand),
    ),
    command(
      'grants [options]',
      'print the SQL that gives a database account the rights that the service needs',
      () => import('./grants-command.ts').then((module) => module.grantsCommand),
    ),
    group('token', 'manage API tokens', [
      derived('token issue'),
      command(
        'import [options] <file>',
        'accept tokens that another program has issued: all of a CSV or JSON file, or none',
        () =>
          fromMigration(
            'This command is part of the move',
            () => import('#migration/commands/token-import'),
          ).then((module) => module.importTokensCommand),
      ),
    ]),
    derived('sites'),
    command('network', 'show which network this is, and say what became of its database', () =>
      import('./network/network-command.ts').then((module) => module.networkCommand),
    ),
    command('copies', 'move the static copies to another folder or object store', () =>
      import('./copies/copies-command.ts').then((module) => module.copiesCommand),
    ),
    command(
      'doctor [options]',
      'check sites, or without --site the infrastructure and the whole network; writes nothing without --fix',
      () => import('./doctor/doctor-command.ts').then((module) => module.doctorCommand),
    ),
    command(
      'work [options]',
      'show which pages and frames are still to be built, since when, and what fails',
      () => import('./work/work-command.ts').then((module) => module.workCommand),
    ),
    group('webhooks', 'manage receivers of changes'),
    command(
      'compare [options]',
      'compare the answers of an old endpoint with those of wp-frames, before its clients move',
      () =>
        fromMigration(
          'This command is part of the move',
          () => import('#migration/commands/compare/compare-command'),
        ).then((module) => module.compareCommand),
    ),
  ]),
  ...under('Services and programs:', [
    command(
      'mcp [options]',
      'serve an MCP client, such as an agent, on standard input and output',
      () => import('./mcp-command.ts').then((module) => module.mcpCommand),
    ),
    command(
      'api [options] <method> <path>',
      'send a request to the API and print the answer; exits with 1 for an answer that is an error',
      () => import('./remote/api-command.ts').then((module) => module.apiCommand),
    ),
    command(
      'login [options] [url]',
      'store the address of a service and a token, for commands with --env',
      () => import('./remote/login-command.ts').then((module) => module.loginCommand),
    ),
    command(
      'logout [name]',
      'remove a login from this machine; its token stays valid until it is revoked',
      () => import('./remote/logout-command.ts').then((module) => module.logoutCommand),
    ),
    command(
      'completion <topic> [parts...]',
      'print a script for a shell: it completes commands, options, sites, slugs and runs',
      () => import('./completion/completion-command.ts').then((module) => module.completionCommand),
    ),
  ]),
]
