import { InvalidArgumentError } from 'commander'

/** What Git Bash and MSYS2 put before an argument that begins with a slash: they take it for a path of their own. */
const SHELL_FOLDER = /^[a-z]:[\\/](?:.*[\\/])?(?:git|msys|mingw|cygwin)\w*[\\/]/i

export const isWindowsPath = (argument: string): boolean => /^[a-z]:[\\/]/i.test(argument)

export const CHANGED_BY_SHELL =
  'The shell has changed the argument to a path of Windows, because it begins with a slash. Leave the first slash of a path out, or run "export MSYS_NO_PATHCONV=1" before.'

/**
 * Parses a text that is not a path.
 * @throws InvalidArgumentError if a shell on Windows has made a path of it
 */
export function parseUnchangedText(text: string): string {
  if (SHELL_FOLDER.test(text)) throw new InvalidArgumentError(CHANGED_BY_SHELL)
  return text
}
