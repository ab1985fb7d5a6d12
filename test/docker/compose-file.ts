import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse } from 'yaml'

export const ROOT = resolve(import.meta.dirname, '../..')
export const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

export type ComposeService = {
  readonly image: string
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string | number>>
  readonly volumes?: readonly string[]
  readonly user?: string
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly stop_grace_period?: string
  readonly deploy?: { readonly replicas: string }
}

/** A Compose file as Docker reads it: anchors are merged, variables are not replaced. */
export function readComposeFile(path: string): {
  readonly services: Readonly<Record<string, ComposeService>>
} {
  return parse(textOf(path), { merge: true })
}

/** The variables that a Compose file requires, and those that have a default. */
export const requiredVariables = (text: string): string[] =>
  [...text.matchAll(/\$\{([A-Z_]+)(?::\?|\})/g)].map(([, name = '']) => name)

/** Replaces `${NAME}`, `${NAME-default}`, `${NAME:-default}` and `${NAME:?message}` as Docker does; defaults may contain further ones. */
export function interpolate(text: string, values: Readonly<Record<string, string>>): string {
  const innermost = /\$\{([A-Z_]+)(?:(:[-?]|-)([^${}]*))?\}/g
  const replaced = text.replaceAll(innermost, (_, name, operator, standard = '') =>
    // Only `-` keeps a value that is empty.
    operator === '-' ? (values[name] ?? standard) : values[name] || standard,
  )
  return replaced === text ? text : interpolate(replaced, values)
}
