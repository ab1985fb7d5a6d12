import { Argument, type Command } from 'commander'
import { readIdentity } from '../../build/publishing/network-identity.ts'
import {
  declareMoved,
  forgetCopies,
  setPurges,
  takeIdentity,
} from '../../network/identity/copied-network.ts'
import { CliCommand } from '../cli-command.ts'
import { type CliContext, CommandError } from '../cli-context.ts'
import { jsonLine, pluralize } from '../terminal.ts'
import { withServices } from '../with-services.ts'
import { copiedCommand } from './copied-command.ts'

/** `network show|moved|copied|purges|forget-copies`: what only the operator knows about the database and the folder of the static copies. */
export function networkCommand(context: CliContext): Command {
  const network = new CliCommand('network')
  for (const command of [showCommand, movedCommand, copiedCommand, purgesCommand, forgetCommand])
    network.addCommand(command(context))
  return network
}

function showCommand(context: CliContext): Command {
  return new CliCommand('show')
    .description(
      'show the identity of the network, and to whom the folder of the static copies belongs',
    )
    .option(
      '--json',
      'print {identity, folder, purges, known_database, restored_at, restored_because}',
    )
    .examples('wp-frames network show')
    .action((options: { json?: boolean }) =>
      withServices(context, async ({ db, globals, copies }) => {
        const { identity: network } = await readIdentity(db, globals)
        const { identity, purges, isKnownDatabase, restoredAt, restoredBecause } = network
        const folder = (await copies?.inspect(network))?.network
        process.stdout.write(
          options.json
            ? jsonLine({
                identity,
                folder: folder ?? null,
                purges,
                known_database: isKnownDatabase,
                restored_at: restoredAt,
                restored_because: restoredBecause,
              })
            : [
                `Network: ${identity}`,
                `Folder of the static copies: ${folder === undefined ? 'belongs to no network yet' : folder === identity ? 'belongs to this network' : `belongs to the network ${folder}`}`,
                `Purges of page caches: ${purges ? 'on' : 'off'}`,
                `Database: ${isKnownDatabase ? 'known' : 'new here; run "wp-frames network moved" or "wp-frames network copied"'}`,
                `Last restore: ${restoredAt === null ? 'none was found' : `${restoredAt} GMT. ${restoredBecause}`}`,
                '',
              ].join('\n'),
        )
      }),
    )
}

function movedCommand(context: CliContext): Command {
  return new CliCommand('moved')
    .description(
      'the database was moved to where it is now, and its original is not in use any more',
    )
    .option(
      '--take-folder',
      'the folder of the static copies belongs to this network, whatever its marker file says',
    )
    .examples('wp-frames network moved', 'wp-frames network moved --take-folder')
    .action((options: { takeFolder?: boolean }) =>
      withServices(context, async ({ db, globals, copies }) => {
        if (options.takeFolder) {
          const { identity } = await readIdentity(db, globals)
          const folder = (await copies?.inspect(identity))?.network
          if (!folder)
            throw new CommandError(
              'There is nothing to take: STATIC_DIR is empty and STATIC_TARGET is not set, or the marker there names no network.',
            )
          await takeIdentity(db, globals, folder)
        } else await declareMoved(db, globals)
        process.stdout.write(
          'The database is known here now. Publishing continues within seconds.\n',
        )
      }),
    )
}

function purgesCommand(context: CliContext): Command {
  return new CliCommand('purges')
    .description('switch purges of page caches on or off, in all processes')
    .addArgument(new Argument('<state>').choices(['on', 'off']))
    .examples('wp-frames network purges on')
    .action((state: 'on' | 'off') =>
      withServices(context, async ({ db, globals }) => {
        await setPurges(db, globals, state === 'on')
        process.stdout.write(
          `Purges of page caches are ${state}, in running processes within seconds.${state === 'off' ? ' Purges by tag that were not sent yet are forgotten.' : ''}\n`,
        )
      }),
    )
}

function forgetCommand(context: CliContext): Command {
  return new CliCommand('forget-copies')
    .description(
      'the network is to have no static copies any more: lets processes without STATIC_DIR do all work',
    )
    .examples('wp-frames network forget-copies')
    .action(() =>
      withServices(context, async ({ db, globals }) => {
        const copies = await forgetCopies(db, globals)
        process.stdout.write(
          `${pluralize(copies, 'record')} of static copies ${copies === 1 ? 'was' : 'were'} deleted. Delete the folder of the static copies too, after no process has its STATIC_DIR.\n`,
        )
      }),
    )
}
