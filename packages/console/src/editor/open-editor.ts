import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import {
  bidiIsolates,
  bracketMatching,
  foldGutter,
  foldKeymap,
  indentOnInput,
} from '@codemirror/language'
import { lintGutter } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { Annotation, Compartment, EditorState, type Extension, Prec } from '@codemirror/state'
import {
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { markupCompletion } from './completion.ts'
import { frameNamedAt } from './cursor-context.ts'
import { markupLanguage } from './language.ts'
import {
  goToNextProblem,
  goToPreviousProblem,
  type MarkupProblems,
  markProblems,
  problemsIn,
  rangeAt,
} from './problems.ts'
import { theme } from './theme.ts'
import { typedOverSelection } from './typed-over-selection.ts'

export type EditorOptions = {
  readonly label: string
  readonly value: string
  readonly onInput: (text: string) => void
  /** Ctrl+Enter. */
  readonly onRun: () => void
  readonly onProblems: (problems: MarkupProblems) => void
  /** Ctrl+Shift+M: goes to the list of problems. */
  readonly onList: () => void
  /** Shows the frame that an insert names. */
  readonly onFrame: (slug: string) => void
  /** The site whose names are completed, and whose frames the markup may embed. */
  readonly site: number
  /** The frame that is edited. */
  readonly slug: string
}

export type OpenEditor = ReturnType<typeof openEditor>

/** Marks a text that the owner of the editor has set. */
const shown = Annotation.define<boolean>()

const KEYS =
  'Tab indents; press Escape, then Tab, to leave the editor. Control Enter shows the preview, Control Space completes, F8 goes to the next problem, Control Shift M goes to the list of problems, Control S saves, F12 opens the frame of an insert, Control F searches, F1 opens the reference.'

/**
 * Opens an editor within an element. It is in a shadow root: there its styles are constructed style sheets, which the console's policy allows, and not
 * elements, which it does not.
 */
export function openEditor(host: HTMLElement, options: EditorOptions) {
  const { value, onInput, onProblems, site, slug } = options
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  const keys = document.createElement('p')
  keys.id = 'keys'
  keys.hidden = true
  keys.textContent = KEYS
  // What was reported to the owner, which has not shown it yet: somebody may type faster than it shows.
  let reported = [value]
  let failure: string | undefined
  const wrapping = new Compartment()
  const report = () => onProblems({ found: problemsIn(view), failure })
  const onUpdate = EditorView.updateListener.of(
    ({ docChanged, selectionSet, transactions, view }) => {
      if (docChanged && !transactions.some((one) => one.annotation(shown))) {
        const text = view.state.sliceDoc()
        reported.push(text)
        onInput(text)
      }
      if (selectionSet || docChanged || transactions.some(({ effects }) => effects.length > 0))
        report()
    },
  )
  const completed = [{ autocomplete: markupCompletion(site) }]
  const view = new EditorView({
    root,
    parent: root,
    doc: value,
    extensions: [
      typedOverSelection,
      lineNumbers(),
      foldGutter(),
      highlightSpecialChars(),
      history(),
      indentOnInput(),
      bracketMatching(),
      closeBrackets(),
      autocompletion({ icons: false }),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      highlightSelectionMatches(),
      search({ top: true }),
      bidiIsolates(),
      markupLanguage(),
      theme,
      wrapping.of([]),
      EditorState.languageData.of(() => completed),
      markProblems(site, slug, value.length, (message) => {
        failure = message
        report()
      }),
      lintGutter(),
      actions(options),
      keymap.of([
        ...closeBracketsKeymap,
        ...defaultKeymap,
        ...searchKeymap,
        ...historyKeymap,
        ...foldKeymap,
        ...completionKeymap,
        indentWithTab,
      ]),
      EditorView.contentAttributes.of({
        'aria-label': options.label,
        'aria-describedby': keys.id,
        dir: 'ltr',
        tabindex: '0',
        spellcheck: 'false',
      }),
      onUpdate,
    ],
  })
  root.append(keys)
  return {
    /** Replaces the text, unless it is this one. */
    show: (text: string): void => {
      const at = reported.lastIndexOf(text)
      if (at >= 0) {
        reported = reported.slice(at)
        return
      }
      reported = [text]
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        annotations: shown.of(true),
      })
    },
    /** Puts the cursor there; both from 1. */
    goTo: (line: number, column: number): void => {
      const { from: anchor } = rangeAt(view.state.doc, line, column)
      view.dispatch({
        selection: { anchor },
        effects: EditorView.scrollIntoView(anchor, { y: 'center' }),
      })
      view.focus()
    },
    /** Whether long lines are wrapped. */
    wrap: (isWrapped: boolean): void =>
      view.dispatch({ effects: wrapping.reconfigure(isWrapped ? EditorView.lineWrapping : []) }),
    close: (): void => {
      view.destroy()
      keys.remove()
    },
  }
}

/** A key that has done something is not passed on. */
const done = (act: () => void) => (): true => {
  act()
  return true
}

/** The preview, the way to embedded frames, and the way from problem to problem. */
function actions({ onRun, onList, onFrame }: EditorOptions): Extension {
  const openFrameAt = ({ state }: EditorView, position: number): boolean => {
    const slug = frameNamedAt(
      state.sliceDoc(Math.max(0, position - 4000), position),
      state.sliceDoc(position, position + 4000),
    )
    if (slug !== undefined) onFrame(slug)
    return slug !== undefined
  }
  return [
    Prec.high(
      keymap.of([
        { key: 'Mod-Enter', run: done(onRun) },
        { key: 'Mod-Shift-m', run: done(onList) },
        {
          key: 'F12',
          preventDefault: true,
          run: (view) => openFrameAt(view, view.state.selection.main.head),
        },
        { key: 'F8', run: goToNextProblem },
        { key: 'Shift-F8', run: goToPreviousProblem },
      ]),
    ),
    EditorView.domEventHandlers({
      mousedown: (event, view) => {
        if (!(event.ctrlKey || event.metaKey) || event.button !== 0) return false
        const position = view.posAtCoords({ x: event.clientX, y: event.clientY })
        return position !== null && openFrameAt(view, position)
      },
    }),
  ]
}
