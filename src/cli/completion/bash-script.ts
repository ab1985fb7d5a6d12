import { type CompletedCommand, quote } from './command-tree.ts'

/** A script for bash 4 and later. It finds the command in the line, then completes what can follow it, or else names of files. */
export function bashScript(tree: readonly CompletedCommand[]): string {
  const paths = tree.flatMap(({ path }) => (path === '' ? [] : [quote(path)]))
  return `# Completion of wp-frames for bash.
_wp_frames() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" path= i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$path/\${COMP_WORDS[i]}" in
      ${paths.join('|')}) path="$path/\${COMP_WORDS[i]}" ;;
    esac
  done
  COMPREPLY=()
  case "$path $prev" in
${valuesOf(tree)}  esac
  local known=
  case "$path" in
${tree.map((one) => `    ${quote(one.path)}) known=${quote(followers(one).join(' '))} ;;\n`).join('')}  esac
  COMPREPLY=($(compgen -W "$known" -- "$cur"))
}
complete -o default -F _wp_frames wp-frames
`
}

function valuesOf(tree: readonly CompletedCommand[]): string {
  return tree
    .flatMap(({ path, options }) =>
      options
        .filter(({ takesValue }) => takesValue)
        .map(({ names, choices }) => {
          const pattern = names.map((name) => quote(`${path} ${name}`)).join('|')
          const known = quote(choices.join(' '))
          return choices.length > 0
            ? `    ${pattern}) COMPREPLY=($(compgen -W ${known} -- "$cur")); return ;;\n`
            : `    ${pattern}) return ;;\n`
        }),
    )
    .join('')
}

const followers = ({ commands, choices, options }: CompletedCommand): string[] => [
  ...commands.map(({ name }) => name),
  ...choices,
  ...options.flatMap(({ names }) => names.filter((name) => name.startsWith('--'))),
]
