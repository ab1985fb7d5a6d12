import { Argument, Command } from 'commander'
import type { CliContext } from '../cli-context.ts'
import { examples } from '../examples.ts'
import { bashScript } from './bash-script.ts'
import { describeCommands } from './command-tree.ts'
import { fishScript } from './fish-script.ts'
import { zshScript } from './zsh-script.ts'

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript }

type Shell = keyof typeof SCRIPTS

/** `completion <shell>`: prints a script that completes commands, options and their choices. */
export function completionCommand(context: CliContext): Command {
  return new Command('completion')
    .addArgument(new Argument('<shell>').choices(Object.keys(SCRIPTS)))
    .addHelpText(
      'after',
      `
For bash, in ~/.bashrc: source <(wp-frames completion bash). For zsh, in a folder of $fpath, as _wp-frames, before compinit.
For fish, in ~/.config/fish/completions/wp-frames.fish.
${examples('wp-frames completion bash', 'wp-frames completion zsh > ~/.zfunc/_wp-frames')}`,
    )
    .action(async (shell: Shell) => {
      // It describes all commands, which only this one loads.
      const { createProgram } = await import('../run-cli.ts')
      process.stdout.write(SCRIPTS[shell](describeCommands(await createProgram(context))))
    })
}
