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

/**
 * The commands of a group. Those of endpoints come last, unless they are among the others.
 * @param name as in `menus items`
 */
function inGroup(name: string, placed: readonly CommandEntry[] = []): readonly CommandEntry[] {
  const verbs = new Set(placed.map(({ term }) => term.split(' ')[0]))
  const others = DERIVED_COMMANDS.filter((one) => {
    const [verb = '', ...group] = one.name.split(' ').reverse()
    return group.reverse().join(' ') === name && !verbs.has(verb)
  })
  return [...placed, ...others.map((one) => derived(one.name))]
}

export const COMMANDS: readonly CommandEntry[] = [
  {
    term: 'frames',
    group: 'Frames and menus:',
    description: 'list, show, bake and edit frames, and exchange them with a folder',
    commands: inGroup('frames', [
      derived('frames list'),
      derived('frames show'),
      {
        term: 'pull [options] <folder>',
        description:
          'write the frames of a site to a folder, or update a folder that was pulled before',
        load: () => import('./frames/frames-pull.ts').then((module) => module.pullFramesCommand),
      },
      {
        term: 'dev [options] <folder>',
        description:
          "show a site's pages in the browser with the frames of a folder; stores nothing",
        load: () => import('./frames/frames-dev.ts').then((module) => module.devCommand),
      },
      {
        term: 'status [options] <folder>',
        description: 'list what was done in a pulled folder, and on its site, since the pull',
        load: () =>
          import('./frames/compare/frames-status.ts').then((module) => module.frameStatusCommand),
      },
      {
        term: 'diff [options] <folder>',
        description: 'show how the frames in a pulled folder differ from those of the site',
        load: () =>
          import('./frames/compare/frames-diff.ts').then((module) => module.diffFramesCommand),
      },
      {
        term: 'push [options] <folder>',
        description:
          'send the changes in a folder since it was pulled; new files become new frames',
        load: () => import('./frames/frames-push.ts').then((module) => module.pushFramesCommand),
      },
      {
        term: 'bake [options] [ref...]',
        description: 'bake the frames that are stale, and publish their pages',
        load: () => import('./frames/frames-bake.ts').then((module) => module.bakeFramesCommand),
      },
      {
        term: 'replace [options] <old> <new>',
        description:
          'replace a text in the markup of frames and the addresses of custom links in menus',
        load: () =>
          import('./frames/frames-replace.ts').then((module) => module.replaceInFramesCommand),
      },
    ]),
  },
  {
    term: 'menus',
    group: 'Frames and menus:',
    description: 'list and edit menus, and exchange them with files',
    commands: inGroup('menus', [
      derived('menus list'),
      {
        term: 'show [options] <ref>',
        description: 'print the items of a menu as they are stored, now or at a former time',
        load: () => import('./menus/menus-show.ts').then((module) => module.showMenuCommand),
      },
      {
        term: 'export [options] [menu...]',
        description:
          'print a menu as a tree that identifies pages by their paths, or write menus to files in a folder',
        load: () => import('./menus/menus-export.ts').then((module) => module.exportMenusCommand),
      },
      {
        term: 'import [options] <file>',
        description: 'create a menu from a YAML or JSON file that "menus export" wrote',
        load: () => import('./menus/menus-import.ts').then((module) => module.importMenuCommand),
      },
      {
        term: 'items',
        description: 'add, move and remove single items of a menu',
        commands: inGroup('menus items', [
          derived('menus items add'),
          {
            term: 'move [options] <menu> <item>',
            description: 'move an item, with the items below it, to another level or position',
            load: () => import('./menus/items-move.ts').then((module) => module.moveItemCommand),
          },
          derived('menus items remove'),
        ]),
      },
    ]),
  },
  {
    term: 'init [options] <folder>',
    group: 'Network as code:',
    description: 'write a description of what some sites have to a folder',
    load: () => import('./network/network-init.ts').then((module) => module.initCommand),
  },
  {
    term: 'check [options] <folder>',
    group: 'Network as code:',
    description: 'find mistakes in the frames of a folder, without a database',
    load: () => import('./check-command.ts').then((module) => module.checkCommand),
  },
  {
    term: 'plan [options] <folder>',
    group: 'Network as code:',
    description: 'show what would change so that sites have what a description says',
    load: () => import('./network/plan-command.ts').then((module) => module.planCommand),
  },
  {
    term: 'apply [options] <folder|plan>',
    group: 'Network as code:',
    description: 'change sites so that they have what a description says',
    load: () => import('./network/apply-command.ts').then((module) => module.applyCommand),
  },
  {
    term: 'rollback [options] <run>',
    group: 'Network as code:',
    description: 'roll a run back: restore what it has written to the state before',
    load: () => import('./network/rollback-command.ts').then((module) => module.rollbackCommand),
  },
  {
    term: 'drift [options] [name]',
    group: 'Network as code:',
    description: 'show what was changed since the last apply, and by whom',
    load: () => import('./network/drift-command.ts').then((module) => module.driftCommand),
  },
  {
    term: 'runs [options] [run]',
    group: 'Network as code:',
    description: 'list the latest plans and runs, or the sites of one',
    load: () => import('./network/runs-command.ts').then((module) => module.runsCommand),
  },
  { ...derived('history'), group: 'History:' },
  {
    term: 'changes [options]',
    group: 'History:',
    description:
      'print what changed, a line for each change, oldest first; with --follow also what comes',
    load: () => import('./history/changes-command.ts').then((module) => module.changesCommand),
  },
  { ...derived('diff'), group: 'History:' },
  {
    term: 'restore [options]',
    group: 'History:',
    description: 'restore one thing, what a request or a token wrote, or everything to a moment',
    load: () => import('./history/restore-command.ts').then((module) => module.restoreCommand),
  },
  {
    term: 'audit [options]',
    group: 'History:',
    description: 'export entries of the history, oldest first',
    load: () => import('./history/audit-command.ts').then((module) => module.auditCommand),
  },
  {
    term: 'serve [role]',
    group: 'Operation:',
    description: 'run the API and the front, or one part of the service',
    load: () => import('./serve-command.ts').then((module) => module.serveCommand),
  },
  {
    term: 'migrate',
    group: 'Operation:',
    description: "create or update the service's own tables",
    load: () => import('./migrate-command.ts').then((module) => module.migrateCommand),
  },
  {
    term: 'grants [options]',
    group: 'Operation:',
    description: 'print the SQL that gives a database account the rights that the service needs',
    load: () => import('./grants-command.ts').then((module) => module.grantsCommand),
  },
  {
    term: 'token',
    group: 'Operation:',
    description: 'manage API tokens',
    commands: inGroup('token', [
      derived('token issue'),
      {
        term: 'import [options] <file>',
        description:
          'accept tokens that another program has issued: all of a CSV or JSON file, or none',
        load: () =>
          fromMigration(
            'This command is part of the move',
            () => import('#migration/commands/token-import'),
          ).then((module) => module.importTokensCommand),
      },
    ]),
  },
  { ...derived('sites'), group: 'Operation:' },
  {
    term: 'network',
    group: 'Operation:',
    description: 'show which network this is, and say what became of its database',
    load: () => import('./network/network-command.ts').then((module) => module.networkCommand),
  },
  {
    term: 'copies',
    group: 'Operation:',
    description: 'move the static copies to another folder or object store',
    load: () => import('./copies/copies-command.ts').then((module) => module.copiesCommand),
  },
  {
    term: 'doctor [options]',
    group: 'Operation:',
    description:
      'check sites, or without --site the infrastructure and the whole network; writes nothing without --fix',
    load: () => import('./doctor/doctor-command.ts').then((module) => module.doctorCommand),
  },
  {
    term: 'work [options]',
    group: 'Operation:',
    description: 'show which pages and frames are still to be built, since when, and what fails',
    load: () => import('./work/work-command.ts').then((module) => module.workCommand),
  },
  {
    term: 'webhooks',
    group: 'Operation:',
    description: 'manage receivers of changes',
    commands: inGroup('webhooks'),
  },
  {
    term: 'compare [options]',
    group: 'Operation:',
    description:
      'compare the answers of an old endpoint with those of wp-frames, before its clients move',
    load: () =>
      fromMigration(
        'This command is part of the move',
        () => import('#migration/commands/compare/compare-command'),
      ).then((module) => module.compareCommand),
  },
  {
    term: 'mcp [options]',
    group: 'Services and programs:',
    description: 'serve an MCP client, such as an agent, on standard input and output',
    load: () => import('./mcp-command.ts').then((module) => module.mcpCommand),
  },
  {
    term: 'api [options] <method> <path>',
    group: 'Services and programs:',
    description:
      'send a request to the API and print the answer; exits with 1 for an answer that is an error',
    load: () => import('./remote/api-command.ts').then((module) => module.apiCommand),
  },
  {
    term: 'login [options] [url]',
    group: 'Services and programs:',
    description: 'store the address of a service and a token, for commands with --env',
    load: () => import('./remote/login-command.ts').then((module) => module.loginCommand),
  },
  {
    term: 'logout [name]',
    group: 'Services and programs:',
    description: 'remove a login from this machine; its token stays valid until it is revoked',
    load: () => import('./remote/logout-command.ts').then((module) => module.logoutCommand),
  },
  {
    term: 'completion <topic> [parts...]',
    group: 'Services and programs:',
    description:
      'print a script for a shell: it completes commands, options, sites, slugs and runs',
    load: () =>
      import('./completion/completion-command.ts').then((module) => module.completionCommand),
  },
]
