import type { CompletedCommand } from './command-tree.ts'

/** A script for fish: one rule for each command and option, each with the path of the command that it can follow. */
export function fishScript(tree: readonly CompletedCommand[]): string {
  const paths = tree.flatMap(({ path }) => (path === '' ? [] : [quote(path)]))
  return `# Completion of wp-frames for fish.
function __wp_frames_at
  set -l at ''
  for part in (commandline -opc)[2..-1]
    if contains -- "$at/$part" ${paths.join(' ')}
      set at "$at/$part"
    end
  end
  test "$at" = "$argv[1]"
end
${tree.flatMap(rulesOf).join('\n')}
`
}

function rulesOf({ path, commands, options, choices }: CompletedCommand): string[] {
  const rule = `complete -c wp-frames -n ${quote(`__wp_frames_at ${path === '' ? "''" : path}`)}`
  return [
    ...commands.map(
      ({ name, description }) => `${rule} -f -a ${quote(name)} -d ${quote(description)}`,
    ),
    ...(choices.length > 0 ? [`${rule} -f -a ${quote(choices.join(' '))}`] : []),
    ...options.map(({ names, description, takesValue, choices: values }) => {
      const [long = '', short = ''] = names.map((name) => name.replace(/^-+/, ''))
      const value = takesValue ? ' -r' : ''
      const known = values.length > 0 ? ` -f -a ${quote(values.join(' '))}` : ''
      return `${rule} -l ${long}${short === '' ? '' : ` -s ${short}`}${value}${known} -d ${quote(description)}`
    }),
  ]
}

/** In single quotes, fish reads a backslash before a quote and before a backslash. */
const quote = (text: string): string => `'${text.replaceAll(/[\\']/g, '\\$&')}'`
