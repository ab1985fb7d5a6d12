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

export const SCRIPTS = { bash, zsh, fish }
