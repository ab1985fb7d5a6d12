import { Argument, type Command } from 'commander'
import { CliCommand } from '../cli-command.ts'
import type { CliContext } from '../cli-context.ts'
import { sanitizeForTerminal } from '../terminal.ts'
import { findCandidates } from './find-candidates.ts'

const TOPICS = ['bash', 'zsh', 'fish', 'line'] as const

/** `completion <shell>`: prints a script that completes commands, options, sites, slugs and runs. The scripts ask `completion line -- <parts>`. */
export function completionCommand(context: CliContext): Command {
  return new CliCommand('completion')
    .addArgument(
      new Argument('<topic>', 'a shell, for its script; line, for what may follow').choices(TOPICS),
    )
    .argument('[parts...]', 'with line: a line behind wp-frames; its last part is not finished')
    .addHelpText(
      'after',
      `
For bash, in ~/.bashrc: source <(wp-frames completion bash). For zsh, in a folder of $fpath, as _wp-frames, before compinit.
For fish, in ~/.config/fish/completions/wp-frames.fish.`,
    )
    .examples(
      'wp-frames completion bash',
      'wp-frames completion zsh > ~/.zfunc/_wp-frames',
      "wp-frames completion line -- frames show --site shop ''",
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

// A shell asks the program itself what may follow: `wp-frames completion line -- <parts>` prints lines with a value, a tab and a description.

/** For bash 4 and later. */
const bash = `# Completion of wp-frames for bash.
_wp_frames() {
  local IFS=$'\\n'
  COMPREPLY=($("\${COMP_WORDS[0]}" completion line -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1))
}
complete -o default -F _wp_frames wp-frames
`

/** A function of zsh's completion system, for a folder of `$fpath`, or to be sourced. */
const zsh = `#compdef wp-frames
# Completion of wp-frames for zsh.
_wp_frames() {
  local -a known
  local line
  for line in "\${(@f)$("\${words[1]}" completion line -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ -n "$line" ]]; then known+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}"); fi
  done
  if (( $#known )); then _describe wp-frames known; else _files; fi
}
if [ "$funcstack[1]" = _wp_frames ]; then _wp_frames "$@"; else compdef _wp_frames wp-frames; fi
`

const fish = `# Completion of wp-frames for fish.
function __wp_frames
  set -l parts (commandline -opc)
  set -l known ($parts[1] completion line -- $parts[2..-1] (commandline -ct) 2>/dev/null)
  if test (count $known) -gt 0
    printf '%s\\n' $known
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c wp-frames -f -a '(__wp_frames)'
`

const SCRIPTS = { bash, zsh, fish }
