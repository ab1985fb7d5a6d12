import { foreignContent, html, type Token } from 'parse5'

const foreignKey = (name: string): string => `:${name}`

/** Receives the start and end of each element for which a payload was given. */
export type ElementListener<T> = {
  opened(payload: T, hasContent: boolean): void
  /** `explicit` is false if HTML implies the end; then `contentEnd` equals `end`. */
  closed(payload: T, contentEnd: number, end: number, explicit: boolean): void
}

type OpenElement<T> = {
  readonly key: string
  readonly namespace: html.NS
  /** HTML inside SVG or MathML, as in `<foreignObject>`. */
  readonly isIntegrationPoint: boolean
  readonly isSpecial: boolean
  /** Stack index of the nearest HTML element: this one or an ancestor. */
  readonly htmlIndex: number
  readonly payload: T | null
}

const VOID = new Set(
  'area base basefont bgsound br col embed frame hr image img input keygen link meta param source track wbr'.split(
    ' ',
  ),
)

const TABLE_PARTS = 'caption colgroup tbody td tfoot th thead tr'.split(' ')
const SCOPE_LIMITS = new Set('applet caption marquee object table td template th'.split(' '))
const ENDS_OPEN_P = new Set(
  (
    'address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure ' +
    'footer form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p plaintext pre search ' +
    'section summary table ul xmp'
  ).split(' '),
)

/** The open elements that a start tag ends (`ends`), and the elements that protect those outside them (`shields`). */
const IMPLIED_ENDS = new Map<string, { ends: string[]; shields: string[] }>([
  ['li', { ends: ['li'], shields: ['ul', 'ol', 'menu', 'dir'] }],
  ['dt', { ends: ['dt', 'dd'], shields: ['dl'] }],
  ['dd', { ends: ['dt', 'dd'], shields: ['dl'] }],
  ['rt', { ends: ['rt', 'rp'], shields: ['ruby'] }],
  ['rp', { ends: ['rt', 'rp'], shields: ['ruby'] }],
  ['option', { ends: ['option'], shields: ['select', 'datalist', 'optgroup'] }],
  ['optgroup', { ends: ['option', 'optgroup'], shields: ['select'] }],
  ['button', { ends: ['button'], shields: [] }],
  ['body', { ends: ['head'], shields: [] }],
])
const CELLS = ['td', 'th', 'caption', 'colgroup']
const IMPLIED_ENDS_IN_TABLE = new Map<string, string[]>([
  ['td', ['td', 'th']],
  ['th', ['td', 'th']],
  ['tr', ['tr', ...CELLS]],
  ...['tbody', 'thead', 'tfoot', 'caption', 'colgroup'].map((name): [string, string[]] => [
    name,
    ['tbody', 'thead', 'tfoot', 'tr', ...CELLS],
  ]),
])

/**
 * The open elements at a point of the markup. They determine where an element without an end tag ends, and whether the parser is inside SVG
 * or MathML. The class follows the "stack of open elements" of the HTML standard (13.2.6) but builds no tree, because a frame may be any
 * part of a page: a `<tr>` without a table is an element here. Every step is fast at any depth: each query uses the last index of a name
 * and never walks the stack.
 */
export class OpenElements<T> {
  readonly #stack: OpenElement<T>[] = []
  readonly #indexes = new Map<string, number[]>()
  readonly #special: number[] = []
  readonly #scopes: number[] = []
  readonly #listener: ElementListener<T>

  constructor(listener: ElementListener<T>) {
    this.#listener = listener
  }

  /** Whether the following markup is parsed by the rules of SVG and MathML, where CDATA exists. */
  get isForeign(): boolean {
    const top = this.#stack.at(-1)
    return top !== undefined && top.namespace !== html.NS.HTML && !top.isIntegrationPoint
  }

  /** Processes a start tag and returns the namespace of its element. */
  start(token: Token.TagToken, at: number, payload: T | null): html.NS {
    const name = token.tagName
    if (this.isForeign && foreignContent.causesExit(token)) this.#leaveForeign(at)
    const namespace = this.#namespaceOf(name)
    const isHtml = namespace === html.NS.HTML
    if (isHtml) this.#endImplied(name, at)
    const hasContent = isHtml ? !VOID.has(name) && !this.#isRepeated(name) : !token.selfClosing
    if (payload !== null) this.#listener.opened(payload, hasContent)
    if (hasContent) this.#push(token, namespace, payload)
    return namespace
  }

  /** Processes an end tag. An end tag without an open element is ignored, as in HTML. */
  end(token: Token.TagToken, start: number, end: number): void {
    const name = token.tagName
    if (name === 'p' || name === 'br') this.#leaveForeign(start)
    const foreign = this.#last(foreignKey(name))
    // Inside SVG and MathML an end tag can close any of their elements up to the nearest HTML element.
    const isForeign = foreign > (this.#stack.at(-1)?.htmlIndex ?? -1)
    const index = isForeign ? foreign : this.#last(name)
    if (index < 0 || (!isForeign && index < this.#limitFor(name, index))) return
    this.#closeDownTo(index + 1, start)
    this.#pop(start, end, true)
  }

  /** Ends all open elements at the end of the source. */
  finish(at: number): void {
    this.#closeDownTo(0, at)
  }

  #leaveForeign(at: number): void {
    while (this.isForeign) this.#closeDownTo(this.#stack.length - 1, at)
  }

  #namespaceOf(name: string): html.NS {
    if (this.isForeign) return this.#stack.at(-1)?.namespace ?? html.NS.HTML
    if (name === 'svg') return html.NS.SVG
    return name === 'math' ? html.NS.MATHML : html.NS.HTML
  }

  /** A page has one `<html>` and one `<body>`: another such tag only adds attributes to them. */
  #isRepeated(name: string): boolean {
    return (name === 'html' && this.#stack.length > 0) || (name === 'body' && this.#last(name) >= 0)
  }

  #endImplied(name: string, at: number): void {
    const inTable = IMPLIED_ENDS_IN_TABLE.get(name)
    if (inTable !== undefined) this.#endNearest(inTable, this.#lastOf(['table', 'template']), at)
    const rule = IMPLIED_ENDS.get(name)
    if (rule !== undefined) this.#endNearest(rule.ends, this.#scopeOf(rule.shields), at)
    if (ENDS_OPEN_P.has(name)) this.#endNearest(['p'], this.#scopeOf(['button']), at)
  }

  #endNearest(names: string[], limit: number, at: number): void {
    const inside = names.map((name) => this.#last(name)).filter((index) => index > limit)
    if (inside.length > 0) this.#closeDownTo(Math.min(...inside), at)
  }

  /** The index below which an end tag of this name closes nothing. */
  #limitFor(name: string, index: number): number {
    if (TABLE_PARTS.includes(name)) return this.#lastOf(['table', 'template'])
    if (name === 'table') return this.#lastOf(['template'])
    if (name === 'template') return -1
    if (name === 'li') return this.#scopeOf(['ul', 'ol'])
    if (name === 'p') return this.#scopeOf(['button'])
    return this.#stack[index]?.isSpecial ? this.#scopeOf([]) : (this.#special.at(-1) ?? -1)
  }

  #scopeOf(shields: string[]): number {
    return Math.max(this.#scopes.at(-1) ?? -1, this.#lastOf(shields))
  }

  #lastOf(names: string[]): number {
    return Math.max(-1, ...names.map((name) => this.#last(name)))
  }

  #last(name: string): number {
    return this.#indexes.get(name)?.at(-1) ?? -1
  }

  #push(token: Token.TagToken, namespace: html.NS, payload: T | null): void {
    const name = token.tagName
    const index = this.#stack.length
    const isHtml = namespace === html.NS.HTML
    // The standard's tables list SVG's elements by their mixed-case names.
    if (namespace === html.NS.SVG) foreignContent.adjustTokenSVGTagName(token)
    const isSpecial = html.SPECIAL_ELEMENTS[namespace].has(token.tagID)
    const isIntegrationPoint =
      !isHtml && foreignContent.isIntegrationPoint(token.tagID, namespace, token.attrs)
    const key = isHtml ? name : foreignKey(name)
    const htmlIndex = isHtml ? index : (this.#stack.at(-1)?.htmlIndex ?? -1)
    this.#stack.push({ key, namespace, isIntegrationPoint, isSpecial, htmlIndex, payload })
    const indexes = this.#indexes.get(key)
    if (indexes === undefined) this.#indexes.set(key, [index])
    else indexes.push(index)
    if (isSpecial) this.#special.push(index)
    if (isHtml ? SCOPE_LIMITS.has(name) : isSpecial) this.#scopes.push(index)
  }

  #closeDownTo(length: number, at: number): void {
    while (this.#stack.length > length) this.#pop(at, at, false)
  }

  #pop(contentEnd: number, end: number, explicit: boolean): void {
    const element = this.#stack.pop()
    if (element === undefined) return
    const index = this.#stack.length
    this.#indexes.get(element.key)?.pop()
    if (this.#special.at(-1) === index) this.#special.pop()
    if (this.#scopes.at(-1) === index) this.#scopes.pop()
    if (element.payload !== null) {
      this.#listener.closed(element.payload, contentEnd, end, explicit)
    }
  }
}
