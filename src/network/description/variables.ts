import { didYouMean } from '../../host/similar.ts'

/** The option with the data set `variables`, in which markup reads the variables of a site: `dataset.variables.phone`. */
export const VARIABLES_OPTION = 'svc_data_variables'

/** A variable; `{{ "{{" }}`, which means two braces; or two braces that begin neither. */
const PLACEHOLDER = /\{\{(?:\s*([a-z][a-z0-9_]*)\s*\}\}|\s*"\{\{"\s*\}\})?/g

/** The values of a site's variables by name. */
export type Variables = Readonly<Record<string, string>>

/**
 * Replaces `{{ name }}` by the variable's value. Values are not searched for variables.
 * @param report is called for each placeholder that has no value
 */
export function fillText(
  text: string,
  variables: Variables,
  report: (problem: string) => void,
): string {
  return text.replace(PLACEHOLDER, (placeholder, name?: string) => {
    if (name === undefined) {
      if (placeholder === '{{') report('"{{" begins no variable. Write {{ "{{" }} for two braces.')
      return '{{'
    }
    if (Object.hasOwn(variables, name)) return variables[name] ?? ''
    report(`The variable "${name}" is not defined.${didYouMean(name, Object.keys(variables))}`)
    return ''
  })
}

/** The names of the variables in a text. */
export function variablesIn(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].flatMap(([, name]) => name ?? [])
}

export function hasPlaceholder(text: string): boolean {
  return text.includes('{{')
}

/** The text of a description that `fillText` makes this text of. */
export function escapeText(text: string): string {
  return text.replaceAll('{{', '{{ "{{" }}')
}
