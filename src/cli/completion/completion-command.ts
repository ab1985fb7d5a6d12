import { Argument, Command } from 'commander'
import type { CliContext } from '../cli-context.ts'
import { examples } from '../examples.ts'
import { sanitizeForTerminal } from '../terminal.ts'
import { findCandidates } from './find-candidates.ts'
import { SCRIPTS } from './scripts.ts'

const TOPICS = ['bash', 'zsh', 'fish', 'line'] as const

/** `completion <shell>`: prints a script that completes commands, options, sites, slugs and runs. The scripts ask `completion line -- <parts>`. */
export function completionCommand(context: CliContext): Command {
  return new Command('completion')
    .addArgument(
      new Argument('<topic>', 'a shell, for its script; line, for what may follow').choices(TOPICS),
    )
    .argument('[parts...]', 'with line: a line behind wp-frames; its last part is not finished')
    .addHelpText(
      'after',
      `
For bash, in ~/.bashrc: source <(wp-frames completion bash). For zsh, in a folder of $fpath, as _wp-frames, before compinit.
For fish, in ~/.config/fish/completions/wp-frames.fish.
${examples('wp-frames completion bash', 'wp-frames completion zsh > ~/.zfunc/_wp-frames', "wp-frames completion line -- frames show --site shop ''")}`,
    )
    .action(async (topic: (typeof TOPICS)[number], parts: readonly string[]) => {
      if (topic !== 'line') return void process.stdout.write(SCRIPTS[topic])
      const found = await findCandidates(context, parts)
      const lines = found.map(({ value, description }) => `${value}\t${firstSentence(description)}`)
      process.stdout.write(lines.map((line) => `${plain(line)}\n`).join(''))
    })
}

/** Shells show descriptions in one short line. */
const firstSentence = (text: string): string => text.split(/[;:.,](?:\s|$)/, 1)[0] ?? ''

/** On one line, with the tab that separates the two. */
const plain = (line: string): string =>
  line
    .split('\t', 2)
    .map((part) => sanitizeForTerminal(part).replaceAll(/\s+/g, ' '))
    .join('\t')
