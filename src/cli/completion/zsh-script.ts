import { type CompletedCommand, quote } from './command-tree.ts'

/** A function of zsh's completion system, for a folder of `$fpath`, or to be sourced. */
export function zshScript(tree: readonly CompletedCommand[]): string {
  const paths = tree.flatMap(({ path }) => (path === '' ? [] : [quote(path)]))
  return `#compdef wp-frames
# Completion of wp-frames for zsh.
_wp_frames() {
  local at= i
  for ((i = 2; i < CURRENT; i++)); do
    case "$at/\${words[i]}" in
      ${paths.join('|')}) at="$at/\${words[i]}" ;;
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${valuesOf(tree)}  esac
  local -a known
  case "$at" in
${tree.map((one) => `    ${quote(one.path)}) known=(${followers(one).join(' ')}) ;;\n`).join('')}  esac
  _describe -t commands 'wp-frames' known || _files
}
if [ "$funcstack[1]" = _wp-frames ]; then _wp_frames "$@"; else compdef _wp_frames wp-frames; fi
`
}

function valuesOf(tree: readonly CompletedCommand[]): string {
  return tree
    .flatMap(({ path, options }) =>
      options
        .filter(({ takesValue }) => takesValue)
        .map(({ names, choices }) => {
          const pattern = names.map((name) => quote(`${path} ${name}`)).join('|')
          const values = choices.map(quote).join(' ')
          return `    ${pattern}) ${choices.length > 0 ? `compadd -- ${values}` : '_files'}; return ;;\n`
        }),
    )
    .join('')
}

/** `name:description`, as `_describe` reads it. */
function followers({ commands, choices, options }: CompletedCommand): string[] {
  const described = [
    ...commands.map(({ name, description }) => `${name}:${description}`),
    ...choices,
    ...options.flatMap(({ names, description }) =>
      names.filter((name) => name.startsWith('--')).map((name) => `${name}:${description}`),
    ),
  ]
  return described.map(quote)
}
