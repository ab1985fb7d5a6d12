import { join } from 'node:path'
import type { Command } from 'commander'
import { StateDiffs } from '../../../content/diff/state-diffs.ts'
import { siteAddress } from '../../../wordpress/network/site.ts'
import { CliCommand } from '../../cli-command.ts'
import { type CliContext, CommandError } from '../../cli-context.ts'
import { coloured, sanitizeForTerminal, textForOutput } from '../../terminal.ts'
import { decodeMarkup } from '../folder/frame-folder.ts'
import { atFolder } from './compare-folder.ts'

/** The user waits for the differences of one folder, and has asked for all of them. */
const UNLIMITED = {
  things: Number.POSITIVE_INFINITY,
  characters: Number.POSITIVE_INFINITY,
  ms: 60_000,
}

/** `frames diff <folder>`: shows the markup on the site and in a pulled folder as a unified diff. */
export function diffFramesCommand(context: CliContext): Command {
  const command = new CliCommand('diff').examples(
    'wp-frames frames diff shop',
    'wp-frames frames diff shop --exit-code > changes.diff',
  )
  return atFolder(context, command, async ({ client, site, differences }, path) => {
    const diffs = new StateDiffs(site, UNLIMITED)
    for (const { slug, file, local, id } of differences) {
      const markup = local && decodeMarkup(local)
      if (local && markup === undefined) throw new CommandError(`${file} is not valid UTF-8.`)
      const stored =
        id === undefined
          ? undefined
          : (await client.getFrame({ site_id: site.blogId, ref: id })).frame
      const { text } = await diffs.diff('frame', stateOf(stored?.html), stateOf(markup))
      const sides = [
        `--- ${stored ? `${siteAddress(site)}: ${stored.slug}` : '/dev/null'}`,
        `+++ ${local ? join(path, file) : '/dev/null'}`,
      ]
      const body = text.replace(/^--- before\n\+\+\+ after\n/, '')
      const note =
        body === '' ? `The frame "${stored?.slug}" has the slug "${slug}" in the folder.\n` : ''
      print(`${sides.join('\n')}\n${note}${body}${body === '' || body.endsWith('\n') ? '' : '\n'}`)
    }
  })
}

const stateOf = (content: string | undefined) =>
  content === undefined ? undefined : { fields: {}, content }

/** Byte for byte to a file or a pipe, so that it can be applied as a patch. */
const print = (text: string): void =>
  void process.stdout.write(
    process.stdout.isTTY ? coloured(sanitizeForTerminal(text)) : textForOutput(text),
  )
