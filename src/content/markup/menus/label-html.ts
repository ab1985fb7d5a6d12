import { Parser } from 'htmlparser2'
import { decodeName } from '../../../wordpress/formatting/plain-text.ts'
import { escapeHtml, isSafeAddress } from '../evaluation/escape.ts'

/** Inline elements without behavior. WordPress's own list for titles (`$allowedtags`, kses.php) has fewer, but a label cannot have links in it. */
const ELEMENTS = new Set(
  'abbr acronym b bdi bdo br cite code del dfn em i img ins kbd mark q s samp small span strike strong sub sup time u var wbr'.split(
    ' ',
  ),
)
const VOID_ELEMENTS = new Set(['br', 'img', 'wbr'])
const ATTRIBUTE = /^(?:class|title|lang|dir|role|datetime|aria-[a-z]+|alt|width|height|src)$/

/** Whether a stored label contains something that looks like a tag. */
const MARKUP = /<[a-z/!?]/i

/**
 * The HTML of a stored label with inline markup, as WordPress prints it; undefined for a label without markup. Other elements, and those with
 * other attributes, are printed as text: no label can run a script. A label whose elements do not close is text as a whole, because it would
 * change the page after it.
 */
export function labelHtml(stored: string): string | undefined {
  if (!MARKUP.test(stored)) return undefined
  const label = new Label(stored)
  let end = 0
  /** The text of the current token. */
  const source = (): string => {
    end = parser.endIndex + 1
    return stored.slice(parser.startIndex, end)
  }
  const addSource = (): void => label.addText(source())
  const parser: Parser = new Parser(
    {
      ontext: addSource,
      onopentag: (name, attributes) => label.open(name, attributes, source()),
      onclosetag: (name, isImplied) => label.close(name, isImplied, source()),
      oncomment: addSource,
      onprocessinginstruction: addSource,
    },
    { decodeEntities: false },
  )
  parser.end(stored)
  // The parser leaves out a tag that does not end.
  return (end >= stored.length ? label.html() : undefined) ?? escapeHtml(decodeName(stored))
}

class Label {
  readonly #stored: string
  readonly #open: { readonly name: string; readonly isText: boolean }[] = []
  #html = ''
  #closed = 0
  #text = ''
  #isBalanced = true

  constructor(stored: string) {
    this.#stored = stored
  }

  addText(text: string): void {
    this.#text += text
  }

  open(name: string, attributes: Readonly<Record<string, string>>, source: string): void {
    const isText = !ELEMENTS.has(name) || !Object.entries(attributes).every(isAllowed)
    if (ELEMENTS.has(name) && !VOID_ELEMENTS.has(name)) this.#open.push({ name, isText })
    if (isText) {
      this.addText(source)
      return
    }
    this.#flush()
    this.#html += `<${name}${Object.entries(attributes).map(attributeHtml).join('')}>`
  }

  /** @param isImplied the label does not contain the end tag */
  close(name: string, isImplied: boolean, source: string): void {
    if (!ELEMENTS.has(name)) {
      if (!isImplied) this.addText(source)
      return
    }
    if (VOID_ELEMENTS.has(name)) return
    this.#closed += 1
    const opened = this.#open.pop()
    if (isImplied || opened?.name !== name) this.#isBalanced = false
    if (opened?.isText) {
      this.addText(source)
      return
    }
    this.#flush()
    this.#html += `</${name}>`
  }

  /** Undefined if its elements do not close. */
  html(): string | undefined {
    this.#flush()
    // The parser leaves out end tags without a start.
    const ends = [...this.#stored.matchAll(/<\/([a-z]+)/gi)].map(([, name = '']) =>
      name.toLowerCase(),
    )
    const wanted = ends.filter((name) => ELEMENTS.has(name) && !VOID_ELEMENTS.has(name)).length
    return this.#isBalanced && this.#open.length === 0 && this.#closed === wanted
      ? this.#html
      : undefined
  }

  #flush(): void {
    this.#html += escapeHtml(decodeName(this.#text))
    this.#text = ''
  }
}

const isAllowed = ([name, value]: [string, string]): boolean =>
  ATTRIBUTE.test(name) && (name !== 'src' || isSafeAddress(decodeName(value)))

const attributeHtml = ([name, value]: [string, string]): string =>
  ` ${name}="${escapeHtml(decodeName(value))}"`
