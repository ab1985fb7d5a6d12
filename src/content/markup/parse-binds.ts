import { excerptOf } from './excerpt.ts'
import { type Path, parsePath } from './value-path.ts'

/**
 * One bind of a `data-op-bind` attribute. `text` replaces the element's text, `html` its inner HTML, `if` removes
 * the element when the value is empty, or with `!` when it is not. A refused bind has no effect; `reason` is the code in reports, `message` is for the author.
 */
export type Bind = { readonly written: string } & (
  | { readonly kind: 'text' | 'html'; readonly path: Path }
  | { readonly kind: 'if'; readonly path: Path; readonly isNegated: boolean }
  | { readonly kind: 'attribute'; readonly attribute: string; readonly path: Path }
  | { readonly kind: 'refused'; readonly reason: BindRefusal; readonly message: string }
)

type BindRefusal = 'unknown_name' | 'not_allowed'

export const BIND_ATTRIBUTE = 'data-op-bind'

/** Maximum number of binds that are applied to one element. */
export const MAX_BINDS = 100

const ATTRIBUTE_NAME = /^[a-z_][a-z0-9_.:-]*$/
const UNBINDABLE = /^(?:on.*|style|srcdoc|data-op-bind)$/

/** Elements whose content cannot be made safe by escaping, because HTML parses it as raw text. */
const RAW_TEXT = /^(?:script|style|xmp|iframe|noembed|noframes|noscript|plaintext)$/
/** Elements whose content is text: markup would be shown as text, or end the element. */
const TEXT_ONLY = /^(?:title|textarea)$/

/**
 * Parses the (decoded) value of a bind attribute, in order: `href:page.url; page.title`. `tag` is the lower-cased name of the element;
 * `hasContent` is false for an element that cannot have text. All binds after the first `MAX_BINDS` are refused as one.
 */
export function parseBinds(value: string, tag: string, hasContent: boolean): Bind[] {
  const taken = new Set<string>()
  const parts = value
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const binds = parts.slice(0, MAX_BINDS).map((written): Bind => {
    // A path contains no colon, but an attribute name may: `xlink:href:page.url`.
    const colon = written.lastIndexOf(':')
    const target = written.slice(0, Math.max(colon, 0)).trim().toLowerCase()
    const value = written.slice(colon + 1).trim()
    const isNegated = target === 'if' && value.startsWith('!')
    const path = parsePath(isNegated ? value.slice(1) : value)
    const slot = target === '' || target === 'html' ? 'The content' : `The attribute ${target}`
    const objection = findObjection(target, path, tag, hasContent)
    if (objection !== undefined) return refuse(written, 'not_allowed', objection)
    if (path === undefined) {
      return refuse(written, 'unknown_name', `"${excerptOf(written)}" is not a valid value path.`)
    }
    // Several conditions are combined; every other target has one value.
    if (target !== 'if' && taken.has(slot)) {
      return refuse(written, 'not_allowed', `${slot} of this <${tag}> is bound twice.`)
    }
    taken.add(slot)
    if (target === '') return { kind: 'text', written, path }
    if (target === 'if') return { kind: target, written, path, isNegated }
    if (target === 'html') return { kind: target, written, path }
    return { kind: 'attribute', attribute: target, written, path }
  })
  const [beyond] = parts.slice(MAX_BINDS)
  if (beyond === undefined) return binds
  const message = `This <${tag}> has ${parts.length} binds. Only the first ${MAX_BINDS} are applied.`
  return [...binds, refuse(beyond, 'not_allowed', message)]
}

function findObjection(
  target: string,
  path: Path | undefined,
  tag: string,
  hasContent: boolean,
): string | undefined {
  if (target === 'if') return undefined
  if (target !== '' && target !== 'html') {
    if (UNBINDABLE.test(target)) return `The attribute ${target} cannot be bound.`
    return ATTRIBUTE_NAME.test(target)
      ? undefined
      : `"${excerptOf(target)}" is not a valid attribute name.`
  }
  if (!hasContent) return `<${tag}> has no content to bind.`
  if (RAW_TEXT.test(tag)) return `The content of <${tag}> cannot be bound.`
  if (target === '') return undefined
  if (TEXT_ONLY.test(tag)) return `<${tag}> contains text, not HTML: bind it without "html:".`
  return path === undefined || isHtmlPath(path)
    ? undefined
    : 'Only page.content, page.excerpt and dataset.* can be bound as HTML.'
}

function isHtmlPath(path: Path): boolean {
  return path.root === 'dataset' || path.text === 'page.content' || path.text === 'page.excerpt'
}

function refuse(written: string, reason: BindRefusal, message: string): Bind {
  return { kind: 'refused', written, reason, message }
}
